// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;

import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.query.LimitReader.LimitUsage;
import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.LimitTables.LimitRow;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.LimitType;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.engine.task.TaskState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Checks the limits of tasks. It counts the tasks itself, so that a mistake in what the store has
 * in use cannot hide another one.
 */
final class LimitChecker {

  private final World world;
  private final Map<String, ExpectedLimit> limits = new LinkedHashMap<>();
  private final Map<UUID, List<ExpectedLimit>> byTask = new LinkedHashMap<>();
  private final Map<UUID, Long> doneBefore = new HashMap<>();
  private final Map<UUID, String> waitsFor = new HashMap<>();

  LimitChecker(World world) {
    this.world = world;
  }

  /** Adds the limits of a submission; call it once, when its tasks are known. */
  void submitted(Submission submission) {
    for (Submission.NewTaskRow row : submission.tasks()) {
      List<ExpectedLimit> own = new ArrayList<>();
      for (TaskLimit limit : LimitRules.of(row.definition())) {
        own.add(submitted(limit, row.id()));
      }
      add(row.id(), own);
    }
  }

  private ExpectedLimit submitted(TaskLimit limit, UUID task) {
    // Limits of different shards are different limits.
    ExpectedLimit expected =
        limits.computeIfAbsent(
            id(Shards.of(task), limit.key()),
            id -> new ExpectedLimit(limit.key(), limit.rule(), world.now()));
    if (!expected.rule().equals(limit.rule())) {
      world.trace.line("", "limit " + limit.key() + " is now " + limit.rule());
      if (isExceeded(expected, limit.rule())) {
        world.trace.covered(CoveragePoint.LIMIT_LOWERED_BELOW_USE);
      }
    }
    expected.submitted(limit.rule(), world.now());
    return expected;
  }

  private boolean isExceeded(ExpectedLimit limit, LimitRule rule) {
    return switch (rule.type()) {
      case CONCURRENCY -> held(limit) > rule.max();
      case CAPACITY -> held(limit) > 1 && work(limit) > rule.max();
      case RATE -> false;
    };
  }

  private static String id(int shard, String key) {
    return shard + " " + key;
  }

  private void add(UUID task, List<ExpectedLimit> own) {
    if (!own.isEmpty()) {
      world.trace.line(
          "", "+ " + Trace.shortId(task) + " has " + own.stream().map(ExpectedLimit::key).toList());
      byTask.put(task, own);
      own.forEach(limit -> limit.add(task));
    }
  }

  /** These tasks have other rules. Those that run leave their old limits and enter the new ones. */
  void rulesChanged(List<Task> rows) {
    for (Task row : rows) {
      List<ExpectedLimit> old = of(row.id());
      List<ExpectedLimit> own = new ArrayList<>();
      LimitRules.of(row.definition()).forEach(limit -> own.add(submitted(limit, row.id())));
      old.forEach(limit -> limit.remove(row.id()));
      byTask.remove(row.id());
      add(row.id(), own);
      detectChange(row, old, own);
    }
    rows.stream().filter(row -> row.state().isLeased()).forEach(this::entered);
    checkUse();
  }

  /** A task that runs counts in its limits, also where there is no room. */
  private void entered(Task row) {
    for (ExpectedLimit limit : of(row.id())) {
      limit.entered(row.lease(), held(limit));
      if (isExceeded(limit, limit.rule())) {
        world.trace.covered(CoveragePoint.LIMIT_EXCEEDED_BY_CHANGED_RULES);
      }
    }
  }

  private void detectChange(Task row, List<ExpectedLimit> old, List<ExpectedLimit> own) {
    if (row.state().isLeased() && !own.containsAll(old) && !old.containsAll(own)) {
      world.trace.covered(CoveragePoint.RULES_CHANGED_WHILE_RUNNING);
    } else if (isWaiting(row) && !old.isEmpty() && !old.containsAll(own)) {
      world.trace.covered(CoveragePoint.RULES_CHANGED_WHILE_WAITING);
    }
    if (row.state().isLeased() && !old.isEmpty() && own.isEmpty()) {
      world.trace.covered(CoveragePoint.LIMITS_REMOVED);
    }
  }

  /** A check of the limits was made. */
  void swept() {
    if (limits.values().stream().anyMatch(limit -> held(limit) > 0)) {
      world.trace.covered(CoveragePoint.SWEPT_WHILE_IN_USE);
    }
  }

  /** Adds the copy of a task in a new run of its batch. */
  void copied(UUID original, UUID copy) {
    add(copy, of(original));
  }

  List<ExpectedLimit> of(UUID task) {
    return byTask.getOrDefault(task, List.of());
  }

  Set<UUID> tasks() {
    return byTask.keySet();
  }

  /** Checks that a claim decides by the rule that was submitted last. */
  void decided(int shard, LimitRow row) {
    ExpectedLimit limit = limits.get(id(shard, row.key()));
    if (limit != null) {
      require(
          limit.rule().equals(row.rule()),
          Invariant.WITHIN_LIMIT,
          limit,
          "a claim decided by " + row.rule());
    }
  }

  /** Checks a claim as a whole, after its tasks. */
  void claimed(List<Lease> leases) {
    Set<ExpectedLimit> touched = new LinkedHashSet<>();
    for (Lease lease : leases) {
      List<ExpectedLimit> own = of(lease.task().id());
      own.forEach(limit -> limit.claimed(lease.task().lease(), world.now()));
      touched.addAll(own);
      if (own.size() > 1) {
        world.trace.covered(CoveragePoint.SEVERAL_LIMITS_CLAIMED);
      }
    }
    touched.forEach(this::requireWithin);
    if (!touched.isEmpty()) {
      checkUse();
    }
    waiting().forEach(this::detectWait);
  }

  private void requireWithin(ExpectedLimit limit) {
    long held = held(limit);
    long max = limit.rule().max();
    switch (limit.type()) {
      case CONCURRENCY ->
          require(held <= max, Invariant.WITHIN_LIMIT, limit, held + " tasks are running");
      case CAPACITY -> {
        long work = work(limit);
        require(
            held <= 1 || work <= max,
            Invariant.WITHIN_LIMIT,
            limit,
            held + " running tasks have " + work + " items to do");
      }
      case RATE -> {
        long starts = limit.startsInPeriod(world.now());
        require(
            starts <= limit.maxStartsInPeriod(),
            Invariant.RATE_IS_KEPT,
            limit,
            starts + " tasks have started in one period");
      }
    }
  }

  private long held(ExpectedLimit limit) {
    return running(limit).count();
  }

  private Stream<Task> running(ExpectedLimit limit) {
    return limit.tasks().stream().map(world.checker::last).filter(row -> row.state().isLeased());
  }

  private long work(ExpectedLimit limit) {
    return running(limit).mapToLong(this::work).sum();
  }

  /** How many items the attempt of the task still has to do. */
  private long work(Task row) {
    Progress progress = row.progress();
    long done = done(progress) - doneBefore.getOrDefault(row.id(), 0L);
    return progress.expected() == null ? 0 : Math.max(0, progress.expected() - done);
  }

  private static long done(Progress progress) {
    return progress.success() + progress.failures();
  }

  /** A handler says how many items its attempt has done: only those count. */
  void reported(Task row) {
    doneBefore.put(row.id(), row.progress().failures());
  }

  /** Follows a change that was applied. */
  void changed(TaskChange change, Task before, Task row) {
    // Also for a task without limits: changed rules may give it some.
    if (row.retryCounters().attempt() != before.retryCounters().attempt()) {
      doneBefore.put(row.id(), done(row.progress()));
    }
    if (!of(row.id()).isEmpty() && before.state().isLeased() && !row.state().isLeased()) {
      detectEnd(change);
      checkUse();
    }
  }

  private void detectEnd(TaskChange change) {
    switch (change.event()) {
      case WORKER_LOST, WORKER_LOST_AND_GIVE_UP ->
          world.trace.covered(CoveragePoint.PLACE_FREED_BY_LOSS);
      case HAND_BACK -> world.trace.covered(CoveragePoint.PLACE_FREED_BY_HAND_BACK);
      default -> {}
    }
  }

  /** Checks the executions that run at the same time as this one, which begins. */
  void started(SimulatedExecution execution) {
    for (ExpectedLimit limit : of(execution.key().task())) {
      if (limit.type() == LimitType.CONCURRENCY) {
        List<LeaseKey> running =
            limit.tasks().stream()
                .flatMap(task -> world.executions.running(task).stream())
                .filter(other -> isCurrent(other) || other.allowedOverlap() == null)
                .map(SimulatedExecution::key)
                .toList();
        require(
            running.size() <= limit.maxAtClaimOf(running),
            Invariant.WITHIN_LIMIT,
            limit,
            running.size() + " handlers are running");
      }
    }
  }

  private boolean isCurrent(SimulatedExecution execution) {
    Task row = world.checker.last(execution.key().task());
    return row.state().isLeased() && row.lease().equals(execution.key());
  }

  /** Compares what the store has in use with the tasks that are claimed or running. */
  void checkUse() {
    Map<String, Long> used =
        world.database.limits().list("", Integer.MAX_VALUE).stream()
            .collect(groupingBy(LimitUsage::key, summingLong(LimitUsage::used)));
    Map<String, Long> expected =
        limits.values().stream().collect(groupingBy(ExpectedLimit::key, summingLong(this::inUse)));
    for (ExpectedLimit limit : limits.values()) {
      long stored = used.getOrDefault(limit.key(), 0L);
      long running = expected.getOrDefault(limit.key(), 0L);
      require(
          stored == running,
          Invariant.USE_MATCHES_TASKS,
          limit,
          stored + " are in use, but " + running + " are running");
    }
  }

  /** As readers show it: items for a limit on capacity, else tasks. */
  private long inUse(ExpectedLimit limit) {
    return limit.type() == LimitType.CAPACITY ? work(limit) : held(limit);
  }

  /** Checks what a claim takes for used; not all events may have been applied. */
  void opened(int shard, String key, long used) {
    ExpectedLimit limit = limits.get(id(shard, key));
    if (limit != null) {
      long held = held(limit);
      require(
          used >= held,
          Invariant.USE_MATCHES_TASKS,
          limit,
          used + " are in use at a claim, but " + held + " tasks are running");
    }
  }

  private Stream<Task> waiting() {
    return byTask.keySet().stream().map(world.checker::last).filter(this::isWaiting);
  }

  private boolean isWaiting(Task row) {
    Instant deadline = row.definition().deadline();
    return row.state().isClaimable()
        && row.hold().equals(Set.of(HoldReason.LIMITED))
        && !row.times().dueAt().isAfter(world.now())
        && (deadline == null || deadline.isAfter(world.now()));
  }

  private void detectWait(Task row) {
    for (ExpectedLimit limit : of(row.id())) {
      if (limit.type() == LimitType.RATE && !limit.rateAllows(world.now())) {
        world.trace.covered(CoveragePoint.HELD_BACK_BY_RATE);
      }
      if (limit.type() == LimitType.CONCURRENCY
          && row.state() == TaskState.RETRY_PENDING
          && held(limit) >= limit.rule().max()) {
        world.trace.covered(CoveragePoint.RETRY_HELD_BACK_BY_LIMIT);
      }
    }
    if (of(row.id()).size() > 1) {
      LimitReader reader = world.database.limits();
      String key = reader.waitOf(row.id()).map(wait -> wait.limit().key()).orElse(null);
      String before = key == null ? null : waitsFor.put(row.id(), key);
      if (before != null && !before.equals(key)) {
        world.trace.covered(CoveragePoint.MOVED_TO_ANOTHER_LIMIT);
      }
    }
  }

  /** Returns whether the task is due and all its limits surely have room for it. */
  boolean couldStart(UUID id) {
    Task row = world.checker.last(id);
    return isWaiting(row)
        && world.kindLimits.hasRoom(row)
        && of(id).stream().allMatch(this::hasRoom);
  }

  private boolean hasRoom(ExpectedLimit limit) {
    return switch (limit.type()) {
      case CONCURRENCY -> held(limit) < limit.rule().max();
      // Larger tasks that have waited for long may come first.
      case CAPACITY -> held(limit) == 0;
      case RATE -> limit.rateAllows(world.now());
    };
  }

  private void require(boolean holds, Invariant invariant, ExpectedLimit limit, String what) {
    if (!holds) {
      world.violations.report(
          invariant, "limit " + limit.key() + " with " + limit.rule() + ": " + what);
    }
  }
}
