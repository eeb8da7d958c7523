// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import static java.util.stream.Collectors.joining;

import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.LimitType;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.store.jdbc.crash.History.StoredHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Checks that handlers kept the limits of their tasks.
 *
 * <p>A rate counts leases, and a killed process may have had leases that no handler logged. So it
 * is checked twice: by the starts of all leases, as the database recorded them, and by those that
 * the handlers logged, which are fewer and a little later.
 */
final class LimitHistoryChecker {

  /**
   * How far the recorded start of a lease may be behind the decision of the claim. A claim that is
   * slow between the two is followed by no more than a burst of others.
   */
  private static final Duration CLAIM_DELAY = Duration.ofMillis(200);

  /** The same for the start that a handler logs, on a busy machine. */
  private static final Duration HANDLER_DELAY = Duration.ofSeconds(1);

  private final History history;
  private final Map<UUID, List<Execution>> executions;
  private final Map<TaskLimit, List<StoredHistory>> tasksByLimit = new HashMap<>();

  LimitHistoryChecker(History history) {
    this.history = history;
    this.executions = history.executionsByTask();
    for (StoredHistory stored : history.stored()) {
      for (TaskLimit limit : LimitRules.of(stored.task().definition())) {
        tasksByLimit.computeIfAbsent(limit, any -> new ArrayList<>()).add(stored);
      }
    }
  }

  /** Returns the limits of all tasks. */
  List<TaskLimit> limits() {
    return List.copyOf(tasksByLimit.keySet());
  }

  /** Returns a description of each violation; empty if there are none. */
  List<String> violations() {
    List<String> violations = new ArrayList<>(earlyExecutions());
    tasksByLimit.forEach(
        (limit, tasks) -> {
          LimitRule rule = limit.rule();
          if (rule.type() == LimitType.RATE) {
            violations.addAll(tooMany(limit.key() + ", leases", rule, leases(tasks), CLAIM_DELAY));
            violations.addAll(
                tooMany(limit.key() + ", handlers", rule, starts(tasks), HANDLER_DELAY));
          } else if (mostAtOnce(limit) > rule.max()) {
            violations.add(
                "%s: %d of %d ran at once".formatted(limit.key(), mostAtOnce(limit), rule.max()));
          }
        });
    return violations;
  }

  /** A handler cannot start before its lease, or the times of leases would prove nothing. */
  private List<String> earlyExecutions() {
    List<String> early = new ArrayList<>();
    for (StoredHistory stored : history.stored()) {
      Map<Long, Instant> leased = new HashMap<>();
      for (Attempt record : stored.attempts()) {
        leased.put(record.epoch(), Objects.requireNonNullElse(record.startedAt(), Instant.MAX));
      }
      executions.getOrDefault(stored.task().id(), List.of()).stream()
          .filter(one -> one.start().isBefore(leased.getOrDefault(one.epoch(), Instant.MAX)))
          .forEach(one -> early.add("started before its lease: " + one));
    }
    return early;
  }

  /** Returns how many executions ran at the same time, at most. One that was killed is over. */
  long mostAtOnce(TaskLimit limit) {
    TreeMap<Instant, Long> changes = new TreeMap<>();
    executionsOf(tasksByLimit.getOrDefault(limit, List.of()))
        .forEach(
            one -> {
              Instant over = Objects.requireNonNullElse(one.over(), Instant.MAX);
              changes.merge(one.start(), 1L, Long::sum);
              changes.merge(over.isBefore(one.start()) ? one.start() : over, -1L, Long::sum);
            });
    long most = 0;
    long running = 0;
    for (long change : changes.values()) {
      running += change;
      most = Math.max(most, running);
    }
    return most;
  }

  private Stream<Execution> executionsOf(List<StoredHistory> tasks) {
    return tasks.stream()
        .flatMap(stored -> executions.getOrDefault(stored.task().id(), List.of()).stream());
  }

  private List<Instant> starts(List<StoredHistory> tasks) {
    return executionsOf(tasks).map(Execution::start).sorted().toList();
  }

  private static List<Instant> leases(List<StoredHistory> tasks) {
    return tasks.stream()
        .flatMap(stored -> stored.attempts().stream())
        .map(Attempt::startedAt)
        .filter(Objects::nonNull)
        .sorted(Comparator.naturalOrder())
        .toList();
  }

  /** Counts the starts from each one to each later one. */
  private static List<String> tooMany(
      String what, LimitRule rule, List<Instant> starts, Duration delay) {
    for (int first = 0; first < starts.size(); first++) {
      for (int last = first; last < starts.size(); last++) {
        Duration window = Duration.between(starts.get(first), starts.get(last));
        double allowed =
            rule.burst() + (double) window.plus(delay).toNanos() / rule.distance().toNanos();
        int count = last - first + 1;
        if (count > allowed) {
          return List.of(
              "%s: %d starts within %s, at %s"
                  .formatted(
                      what,
                      count,
                      window,
                      starts.subList(first, last + 1).stream()
                          .map(Instant::toString)
                          .collect(joining(", "))));
        }
      }
    }
    return List.of();
  }
}
