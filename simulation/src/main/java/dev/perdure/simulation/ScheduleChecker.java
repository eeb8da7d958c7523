// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Firing.Outcome;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.spi.ScheduleStore.ScheduleContent;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks that schedules fire at each of their instants once, and submit what they say. */
final class ScheduleChecker {

  /** How late an instant may be noted when nothing is wrong, besides the time between two looks. */
  private static final Duration MAX_LATENESS = Duration.ofSeconds(30);

  private final World world;
  private final Map<UUID, ExpectedSchedule> schedules = new LinkedHashMap<>();

  ScheduleChecker(World world) {
    this.world = world;
  }

  /**
   * A schedule that a node has decided about.
   *
   * @param schedule as the node saw it
   * @param busy whether it was busy, by the tasks that the checker knows
   */
  record SeenSchedule(Schedule schedule, boolean busy, Instant now, List<Submission> submissions) {}

  void created(Schedule row, ScheduleContent content) {
    ExpectedSchedule expected =
        new ExpectedSchedule(
            row, world.scheduleGenerator.oracle(content.trigger()), new HashSet<>());
    schedules.put(row.id(), expected);
    world.trace.line("", "+ schedule " + row.name() + " " + row.trigger() + " " + row.overlap());
    requireNext(expected, row, world.now());
  }

  /**
   * Checks an edit.
   *
   * @param content null if the edit was refused
   * @param version the version that its author had seen; null for any
   */
  void updated(
      UUID id,
      @Nullable ScheduleContent content,
      @Nullable Long version,
      @Nullable Schedule after) {
    ExpectedSchedule expected = schedules.get(id);
    if (expected == null || after == null) {
      require(content == null, Invariant.NO_UNREQUESTED_CHANGE, "a deleted schedule was changed");
      return;
    }
    boolean current = version == null || version == expected.row().version();
    require(
        (content != null) == current,
        Invariant.FENCING,
        "an edit of version %s of %s".formatted(version, expected.row()));
    if (content == null) {
      world.trace.covered(CoveragePoint.STALE_EDIT_REFUSED);
      requireUnchanged(expected, after);
      return;
    }
    if (!expected.open(world.now()).isEmpty()) {
      world.trace.covered(CoveragePoint.EDITED_WHILE_DUE);
    }
    world.trace.line("", "= schedule " + after.name() + " " + after.trigger() + " " + after);
    expected.edited(after, world.scheduleGenerator.oracle(content.trigger()));
    require(
        after.anchor().equals(world.now()) && after.enabled() == content.enabled(),
        Invariant.ACKNOWLEDGED_WRITE_DURABLE,
        "an edit was stored as " + after);
    requireNext(expected, after, world.now());
  }

  void deleted(UUID id) {
    if (schedules.remove(id) != null) {
      world.trace.covered(CoveragePoint.SCHEDULE_DELETED);
    }
  }

  /** A task is claimed or running, or its first attempt is still to be claimed. */
  boolean isBusy(UUID id) {
    ExpectedSchedule expected = schedules.get(id);
    return expected != null
        && tasks(expected)
            .anyMatch(
                task ->
                    task.state().isLeased()
                        || (task.state() == TaskState.PENDING
                            && task.retryCounters().attempt() == 0));
  }

  long liveTasks(UUID id) {
    ExpectedSchedule expected = schedules.get(id);
    return expected == null ? 0 : tasks(expected).filter(task -> task.state().isLive()).count();
  }

  private Stream<Task> tasks(ExpectedSchedule expected) {
    return world.checker.tasks().stream()
        .map(TaskChecker::last)
        .filter(task -> expected.batches().contains(task.batch()));
  }

  /**
   * Checks a decision about a schedule.
   *
   * @param rows all firings that are stored
   */
  void fired(
      SeenSchedule seen, Schedule after, List<Firing> rows, boolean byHand, TaskReader reader) {
    ExpectedSchedule expected = schedules.get(after.id());
    if (expected == null) {
      world.violations.report(Invariant.NO_UNREQUESTED_CHANGE, "it was deleted: " + after);
      return;
    }
    requireOnePerInstant(rows);
    Map<UUID, Submission> submissions = new HashMap<>();
    seen.submissions().forEach(submission -> submissions.put(submission.batch(), submission));
    List<Firing> added = new ArrayList<>(expected.prunedAtOnce(seen, after, rows));
    added.addAll(rows.reversed().stream().filter(expected::isNew).toList());
    added.forEach(firing -> check(expected, firing, submissions, reader));
    require(
        submissions.isEmpty(),
        Invariant.FIRED_HAS_TASKS,
        "no firing of " + after.name() + " has the tasks of " + submissions.keySet());
    List<Instant> due = byHand ? List.of() : expected.open(seen.now());
    List<Firing> noted =
        added.stream().filter(firing -> !firing.manual() && !expected.wasQueued(firing)).toList();
    if (!byHand) {
      requireAllNoted(due, noted, seen.now());
      requireRule(expected, seen, due, added);
      cover(expected, seen, added);
      expected.notedUntil(seen.now());
    } else if (!added.isEmpty()) {
      world.trace.covered(CoveragePoint.FIRED_BY_HAND);
    }
    Instant next = after.nextAt();
    require(
        after.enabled() ? next != null && expected.skipsNone(next) : next == null,
        Invariant.EVERY_INSTANT_NOTED,
        "at %s an instant is left out: %s".formatted(seen.now(), after));
    added.forEach(expected::add);
    expected.row(after);
  }

  private void requireOnePerInstant(List<Firing> rows) {
    Set<Object> seen = new HashSet<>();
    for (Firing row : rows) {
      require(
          seen.add(List.of(row.scheduledFor(), row.manual())),
          Invariant.ONE_FIRING_PER_INSTANT,
          "two firings at one instant: " + row);
    }
  }

  private void check(
      ExpectedSchedule expected,
      Firing firing,
      Map<UUID, Submission> submissions,
      TaskReader reader) {
    world.trace.line("", "  " + firing);
    require(
        !expected.hasFired(firing), Invariant.ONE_FIRING_PER_INSTANT, "it fired again: " + firing);
    Submission submission = firing.batch() == null ? null : submissions.remove(firing.batch());
    boolean stored =
        submission != null
            && submission.tasks().stream().allMatch(row -> reader.find(row.id()).isPresent());
    require(
        stored == (firing.outcome() == Outcome.FIRED),
        Invariant.FIRED_HAS_TASKS,
        firing + (stored ? " has tasks" : " has no tasks"));
    if (submission != null && stored) {
      expected.batches().add(submission.batch());
      world.checker.submitted(submission, submission.stored(), reader);
    }
  }

  /** Each instant that is due has a firing, or one stands for it. */
  private void requireAllNoted(List<Instant> due, List<Firing> noted, Instant now) {
    long instants = noted.stream().mapToLong(firing -> 1 + firing.missed()).sum();
    boolean right =
        due.containsAll(noted.stream().map(Firing::scheduledFor).toList())
            && instants == due.size()
            && (due.isEmpty()
                || (noted.getLast().scheduledFor().equals(due.getLast())
                    && noted.size() == (ExpectedSchedule.isLate(now, due) ? 1 : due.size())));
    require(
        right,
        Invariant.EVERY_INSTANT_NOTED,
        "at %s the instants %s were noted as %s".formatted(now, due, noted));
  }

  private void requireRule(
      ExpectedSchedule expected, SeenSchedule seen, List<Instant> due, List<Firing> added) {
    List<Outcome> outcomes = added.stream().map(Firing::outcome).toList();
    List<Outcome> right = expected.outcomes(seen.busy(), seen.now(), due);
    require(
        outcomes.equals(right),
        Invariant.OVERLAP_RULE_IS_KEPT,
        "%s while %s: %s instead of %s"
            .formatted(expected.row(), seen.busy() ? "busy" : "not busy", added, right));
  }

  private void requireNext(ExpectedSchedule expected, Schedule row, Instant now) {
    Instant next = row.nextAt();
    require(
        row.enabled() ? next != null && expected.isNext(now, next) : next == null,
        Invariant.EVERY_INSTANT_NOTED,
        "at %s the next instant is wrong: %s".formatted(now, row));
  }

  private void cover(ExpectedSchedule expected, SeenSchedule seen, List<Firing> added) {
    for (Firing firing : added) {
      switch (firing.outcome()) {
        case SKIPPED -> world.trace.covered(CoveragePoint.FIRING_SKIPPED);
        case MISSED -> world.trace.covered(CoveragePoint.FIRING_MISSED);
        case QUEUED -> world.trace.covered(CoveragePoint.FIRING_QUEUED);
        case FIRED -> coverFired(expected, seen, firing);
      }
    }
  }

  private void coverFired(ExpectedSchedule expected, SeenSchedule seen, Firing firing) {
    if (expected.wasQueued(firing)) {
      world.trace.covered(CoveragePoint.QUEUED_FIRING_FIRED);
    }
    if (firing.missed() > 0) {
      world.trace.covered(CoveragePoint.MISSED_FIRINGS_MADE_UP);
    }
    if (expected.isEndOfGap(firing.scheduledFor())) {
      world.trace.covered(CoveragePoint.FIRED_AT_END_OF_GAP);
    }
    if (!seen.busy() && tasks(expected).anyMatch(t -> t.state() == TaskState.RETRY_PENDING)) {
      world.trace.covered(CoveragePoint.FIRED_BESIDE_WAITING_RETRY);
    }
  }

  private void requireUnchanged(ExpectedSchedule expected, @Nullable Schedule found) {
    require(
        Objects.equals(expected.row(), found),
        Invariant.NO_UNREQUESTED_CHANGE,
        "%s became %s".formatted(expected.row(), found));
  }

  /** Returns the schedules that will fire. */
  List<Schedule> active() {
    return schedules.values().stream()
        .map(ExpectedSchedule::row)
        .filter(Schedule::enabled)
        .toList();
  }

  /** Compares every schedule with the database. */
  void checkRows() {
    for (ExpectedSchedule expected : schedules.values()) {
      requireUnchanged(expected, world.database.schedules().find(expected.row().id()).orElse(null));
    }
  }

  /** Requires that every instant is noted in time; only when there have been no faults lately. */
  void checkInTime() {
    Instant latest = world.now().minus(MAX_LATENESS).minus(world.firesEvery);
    for (ExpectedSchedule expected : schedules.values()) {
      require(
          expected.open(latest).isEmpty(),
          Invariant.EVERY_INSTANT_NOTED,
          "at %s nothing is known about %s of %s"
              .formatted(world.now(), expected.open(latest), expected.row()));
    }
  }

  private void require(boolean holds, Invariant invariant, String what) {
    world.violations.require(holds, invariant, what);
  }
}
