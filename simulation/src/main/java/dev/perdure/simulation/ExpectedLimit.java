// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.LimitType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A limit of one shard, and what the checker knows of it without asking the store. */
final class ExpectedLimit {

  private final String key;
  private final Set<UUID> tasks = new LinkedHashSet<>();
  private final Map<LeaseKey, Long> maxAtClaim = new HashMap<>();
  private final List<Instant> starts = new ArrayList<>();
  private LimitRule rule;
  private Instant changedAt;
  private Instant servedAt = Instant.MIN;

  ExpectedLimit(String key, LimitRule rule, Instant now) {
    this.key = key;
    this.rule = rule;
    this.changedAt = now;
  }

  /** A submission says how much the limit allows; starts under another rule no longer count. */
  void submitted(LimitRule value, Instant now) {
    if (!rule.equals(value)) {
      rule = value;
      starts.clear();
      changedAt = now;
    }
  }

  void add(UUID task) {
    tasks.add(task);
  }

  void remove(UUID task) {
    tasks.remove(task);
  }

  /**
   * A task that runs has got this limit, also if there is no room.
   *
   * @param running how many run now
   */
  void entered(LeaseKey lease, long running) {
    maxAtClaim.merge(lease, Math.max(rule.max(), running), Math::max);
  }

  void claimed(LeaseKey lease, Instant now) {
    maxAtClaim.put(lease, rule.max());
    starts.add(now);
    servedAt = now;
  }

  /** The most that was allowed when one of these leases began. */
  long maxAtClaimOf(List<LeaseKey> leases) {
    return leases.stream()
        .mapToLong(lease -> maxAtClaim.getOrDefault(lease, 0L))
        .max()
        .orElse(rule.max());
  }

  /** How many starts there were in the last period of a rate. */
  long startsInPeriod(Instant now) {
    Instant begin = now.minus(requireNonNull(rule.per(), "per"));
    return starts.stream().filter(start -> start.isAfter(begin)).count();
  }

  long maxStartsInPeriod() {
    return rule.max() + rule.burst() - 1;
  }

  /** Whether a rate surely allows a start: even a whole burst would be long enough ago. */
  boolean rateAllows(Instant now) {
    Duration distance = requireNonNull(rule.per(), "per").dividedBy(rule.max()).plusMillis(1);
    Instant last = servedAt.isAfter(changedAt) ? servedAt : changedAt;
    return !now.isBefore(last.plus(distance.multipliedBy(rule.burst())));
  }

  String key() {
    return key;
  }

  /** The rule by which the last claim has decided. */
  LimitRule rule() {
    return rule;
  }

  LimitType type() {
    return rule.type();
  }

  Set<UUID> tasks() {
    return tasks;
  }

  /** When a task with this limit was last claimed. */
  Instant servedAt() {
    return servedAt;
  }
}
