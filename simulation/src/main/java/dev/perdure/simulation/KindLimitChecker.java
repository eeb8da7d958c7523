// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.query.LimitReader.LimitUsage;
import dev.perdure.engine.spi.KindLimits;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.LimitType;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Checks the limits of kinds. It counts the tasks itself. */
final class KindLimitChecker {

  private final World world;
  private final Map<String, KindLimit> byKind = new HashMap<>();
  private final Set<String> everLimited = new HashSet<>();
  private final Map<String, List<Instant>> starts = new HashMap<>();
  private final Map<String, Instant> changedAt = new HashMap<>();

  KindLimitChecker(World world) {
    this.world = world;
  }

  /** The limits of a kind were stored. */
  void set(String kind, List<Limit> limits) {
    world.trace.line("", "= limits of " + kind + ": " + limits.stream().map(Limit::rule).toList());
    Set<UUID> before = limited(kind);
    if (limits.isEmpty()) {
      world.trace.covered(CoveragePoint.KIND_LIMITS_REMOVED);
      byKind.remove(kind);
    } else {
      byKind.put(kind, new KindLimit(kind, limits, KindLimit.Source.OPERATOR, world.now()));
    }
    everLimited.add(kind);
    changedAt.put(kind, world.now());
    starts.keySet().removeIf(key -> key.contains(":kind:" + kind + "["));
    refresh();
    Set<UUID> after = limited(kind);
    after.removeAll(before);
    if (after.stream().anyMatch(task -> world.checker.last(task).state().isLeased())) {
      world.trace.covered(CoveragePoint.KIND_LIMITS_SET_WHILE_RUNNING);
    }
    checkUse();
  }

  private Set<UUID> limited(String kind) {
    Set<UUID> limited = new HashSet<>();
    tasks(kind)
        .filter(task -> task.hold().contains(HoldReason.LIMITED))
        .forEach(task -> limited.add(task.id()));
    return limited;
  }

  private Stream<Task> tasks(String kind) {
    return world.checker.tasks().stream()
        .map(TaskChecker::last)
        .filter(task -> task.definition().kind().equals(kind));
  }

  boolean isLimited(String kind) {
    return byKind.containsKey(kind);
  }

  /** Tasks get and lose the limits of their kind when a claim finds them. */
  private void refresh() {
    for (TaskChecker task : world.checker.tasks()) {
      Task before = task.last();
      if (before.state().isLive() && everLimited.contains(before.definition().kind())) {
        Task row = world.database.reader().find(before.id()).orElseThrow();
        boolean limited = row.hold().contains(HoldReason.LIMITED);
        if (limited != before.hold().contains(HoldReason.LIMITED)) {
          task.rewritten(
              ExpectedRows.withLimited(before, limited), row, Invariant.NO_UNREQUESTED_CHANGE);
        }
      }
    }
  }

  /** Checks a claim as a whole, after its tasks. */
  void claimed(List<Lease> leases) {
    if (everLimited.isEmpty()) {
      return;
    }
    refresh();
    Set<String> touched = new HashSet<>();
    for (Lease lease : leases) {
      for (TaskLimit limit : of(lease.task())) {
        String id = id(lease.task(), limit);
        starts.computeIfAbsent(id, none -> new ArrayList<>()).add(world.now());
        if (touched.add(id)) {
          world.trace.covered(CoveragePoint.KIND_LIMIT_CLAIMED);
        }
      }
    }
    leases.forEach(lease -> of(lease.task()).forEach(limit -> require(lease.task(), limit)));
    if (!touched.isEmpty()) {
      checkUse();
    }
  }

  private List<TaskLimit> of(Task task) {
    TaskDefinition definition = task.definition();
    KindLimit limit = byKind.get(definition.kind());
    return limit == null
        ? List.of()
        : new KindLimits(List.of(limit))
            .ofTask(null, null, definition.kind(), definition.metadata());
  }

  /** Limits of different shards are different limits. */
  private static String id(Task task, TaskLimit limit) {
    return Shards.of(task.id()) + " " + limit.key();
  }

  private void require(Task task, TaskLimit limit) {
    LimitRule rule = limit.rule();
    if (rule.type() == LimitType.CONCURRENCY) {
      long held = held(task, limit);
      world.violations.require(
          held <= rule.max(),
          Invariant.WITHIN_LIMIT,
          "limit %s with %s: %d tasks are running".formatted(limit.key(), rule, held));
    } else {
      Instant begin = world.now().minus(Objects.requireNonNull(rule.per()));
      long inPeriod =
          starts.getOrDefault(id(task, limit), List.of()).stream()
              .filter(start -> start.isAfter(begin))
              .count();
      world.violations.require(
          inPeriod <= rule.max() + rule.burst() - 1,
          Invariant.RATE_IS_KEPT,
          "limit %s with %s: %d tasks have started in one period"
              .formatted(limit.key(), rule, inPeriod));
    }
  }

  private long held(Task task, TaskLimit limit) {
    return tasks(task.definition().kind())
        .filter(other -> other.state().isLeased())
        .filter(other -> Shards.of(other.id()) == Shards.of(task.id()))
        .filter(other -> of(other).stream().anyMatch(one -> one.key().equals(limit.key())))
        .count();
  }

  /** Compares what the store has in use with the tasks that are claimed or running. */
  private void checkUse() {
    Map<String, Long> expected = new HashMap<>();
    for (String kind : byKind.keySet()) {
      tasks(kind)
          .filter(task -> task.state().isLeased())
          .flatMap(task -> of(task).stream())
          .forEach(limit -> expected.merge(limit.key(), 1L, Long::sum));
    }
    Map<String, Long> used = new HashMap<>();
    for (LimitUsage limit : world.database.limits().list("", Integer.MAX_VALUE)) {
      used.merge(limit.key(), limit.used(), Long::sum);
    }
    expected.forEach(
        (key, running) ->
            world.violations.require(
                running.equals(used.getOrDefault(key, 0L)),
                Invariant.USE_MATCHES_TASKS,
                "limit %s: %s are in use, but %d are running"
                    .formatted(key, used.get(key), running)));
  }

  /** Returns whether the limits of the task's kind surely have room for it. */
  boolean hasRoom(Task task) {
    return of(task).stream().allMatch(limit -> hasRoom(task, limit));
  }

  private boolean hasRoom(Task task, TaskLimit limit) {
    LimitRule rule = limit.rule();
    if (rule.type() == LimitType.CONCURRENCY) {
      return held(task, limit) < rule.max();
    }
    Duration distance = Objects.requireNonNull(rule.per()).dividedBy(rule.max()).plusMillis(1);
    Instant changed = changedAt.getOrDefault(task.definition().kind(), Instant.MIN);
    Instant last =
        starts.getOrDefault(id(task, limit), List.of()).stream()
            .reduce(changed, (one, other) -> one.isAfter(other) ? one : other);
    return !world.now().isBefore(last.plus(distance.multipliedBy(rule.burst())));
  }
}
