// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import dev.perdure.store.jdbc.crash.Execution.End;
import dev.perdure.store.jdbc.crash.Execution.EndKind;
import dev.perdure.store.jdbc.crash.History.StoredHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Checks a correct history, and variants of it with one error each. */
final class HistoryCheckerTest {

  private static final UUID ID = new UUID(1, 1);
  private static final String NODE = "node";
  private static final WorkerRun ALIVE = new WorkerRun("alive", null);
  private static final WorkerRun KILLED = new WorkerRun("killed", at(12));

  private final List<Attempt> records =
      new ArrayList<>(
          List.of(
              record(1, 0, AttemptOutcome.LOST, 10, 15, 17),
              record(2, 0, AttemptOutcome.FAILURE, 20, 21, 25),
              record(3, 1, AttemptOutcome.SUCCESS, 30, 31, 0)));
  private final List<Execution> executions =
      new ArrayList<>(
          List.of(
              execution(1, 0, KILLED, 10),
              execution(2, 0, ALIVE, 20).ended(new End(at(21), EndKind.FAILURE)),
              execution(3, 1, ALIVE, 30).ended(new End(at(31), EndKind.SUCCESS))));
  private Task task = task(TaskState.SUCCESS, 3, null);
  private boolean stored = true;
  private List<WorkerRun> runs = List.of(ALIVE, KILLED);

  @Test
  void a_correct_history_has_no_violations() {
    assertThat(violations()).isEmpty();
  }

  @Test
  void finds_a_missing_acknowledged_task() {
    stored = false;
    executions.clear();
    assertThat(violations()).singleElement().asString().contains("acknowledged and is not in");
  }

  @Test
  void finds_an_executed_task_that_is_missing() {
    stored = false;
    assertThat(violations()).anyMatch(it -> it.contains("executed and is not in"));
  }

  @Test
  void finds_a_task_that_has_not_ended() {
    task = task(TaskState.RUNNING, 3, null);
    assertThat(violations()).singleElement().asString().contains("has not ended");
  }

  @Test
  void finds_a_task_that_ended_twice() {
    records.add(record(4, 1, AttemptOutcome.SUCCESS, 40, 41, 0));
    executions.add(execution(4, 1, ALIVE, 40).ended(new End(at(41), EndKind.SUCCESS)));
    task = task(TaskState.SUCCESS, 4, null);
    assertThat(violations()).singleElement().asString().contains("has 2 ends");
  }

  @Test
  void finds_a_task_whose_end_differs_from_its_last_record() {
    task = task(TaskState.FAILURE, 3, TaskGiveUpReason.EXHAUSTED);
    assertThat(violations()).singleElement().asString().contains("but its last record is");
  }

  @Test
  void finds_a_task_that_ended_as_lost() {
    task = task(TaskState.FAILURE, 3, TaskGiveUpReason.LOST);
    assertThat(violations()).contains("task " + ID + ": ended as lost");
  }

  @Test
  void finds_an_execution_without_a_record() {
    records.remove(0);
    assertThat(violations())
        .anyMatch(it -> it.contains("an execution without a record"))
        .anyMatch(it -> it.contains("records of the epochs [2, 3]"));
  }

  @Test
  void finds_a_missing_attempt() {
    records.set(2, record(3, 2, AttemptOutcome.SUCCESS, 30, 31, 0));
    assertThat(violations()).anyMatch(it -> it.contains("has attempt 2 in place of 1"));
  }

  @Test
  void finds_a_record_without_an_execution() {
    executions.remove(2);
    assertThat(violations()).singleElement().asString().contains("that no handler logged");
  }

  @Test
  void finds_a_record_that_contradicts_the_handler() {
    executions.set(2, execution(3, 1, ALIVE, 30).ended(new End(at(31), EndKind.FAILURE)));
    assertThat(violations()).singleElement().asString().contains("contradicts");
  }

  @Test
  void finds_a_loss_of_a_process_that_was_not_killed() {
    executions.set(0, execution(1, 0, ALIVE, 10).ended(new End(at(11), EndKind.INTERRUPTED)));
    assertThat(violations()).singleElement().asString().contains("contradicts");
  }

  @Test
  void finds_a_loss_before_the_process_was_killed() {
    WorkerRun later = new WorkerRun("later", at(16));
    executions.set(0, execution(1, 0, later, 10));
    assertThat(violations()).singleElement().asString().contains("contradicts");
  }

  @Test
  void finds_a_loss_of_an_unstarted_lease_without_a_kill() {
    executions.remove(0);
    assertThat(violations()).isEmpty();
    runs = List.of(ALIVE);
    assertThat(violations()).singleElement().asString().contains("that no handler logged");
  }

  @Test
  void finds_overlapping_executions() {
    executions.set(1, execution(2, 0, ALIVE, 20).ended(new End(at(32), EndKind.FAILURE)));
    assertThat(violations()).singleElement().asString().contains("ran twice at the same time");
  }

  @Test
  void finds_two_executions_under_one_lease() {
    executions.add(execution(3, 1, ALIVE, 33).ended(new End(at(34), EndKind.SUCCESS)));
    assertThat(violations()).anyMatch(it -> it.contains("ran twice under one lease"));
  }

  @Test
  void finds_a_retry_that_started_too_early() {
    records.set(1, record(2, 0, AttemptOutcome.FAILURE, 20, 21, 31));
    assertThat(violations()).singleElement().asString().contains("started before it was due");
  }

  @Test
  void finds_a_child_that_started_before_its_parent_ended() {
    UUID child = new UUID(0, 9);
    executions.add(
        new Execution(child, 0, 1, NODE, ALIVE, at(30), new End(at(32), EndKind.SUCCESS)));
    assertThat(graphViolations(task(child, TaskState.SUCCESS, 1, null, 33), true))
        .singleElement()
        .asString()
        .contains("before its parent");
  }

  @Test
  void finds_a_child_that_ran_although_its_parent_failed() {
    task = task(TaskState.FAILURE, 3, TaskGiveUpReason.EXHAUSTED);
    Task child = task(new UUID(0, 9), TaskState.SUCCESS, 1, null, 33);
    assertThat(graphViolations(child, true)).singleElement().asString().contains("has a failed");
    assertThat(graphViolations(child, false)).isEmpty();
  }

  @Test
  void finds_a_child_that_failed_without_a_reason() {
    Task child = task(new UUID(0, 9), TaskState.FAILURE, 0, TaskGiveUpReason.UPSTREAM_FAILED, 33);
    assertThat(graphViolations(child, true))
        .singleElement()
        .asString()
        .contains("does not have a failed parent");
  }

  private List<String> graphViolations(Task child, boolean requiresSuccess) {
    List<StoredHistory> histories =
        List.of(new StoredHistory(task, records), new StoredHistory(child, List.of()));
    List<Dependency> dependencies = List.of(new Dependency(ID, child.id(), requiresSuccess));
    return new GraphHistoryChecker(
            new History(Set.of(ID), histories, runs, executions, dependencies))
        .violations();
  }

  private List<String> violations() {
    List<StoredHistory> histories = stored ? List.of(new StoredHistory(task, records)) : List.of();
    return HistoryChecker.violations(new History(Set.of(ID), histories, runs, executions));
  }

  private static Instant at(long second) {
    return Instant.ofEpochSecond(second);
  }

  private static Execution execution(long epoch, long attempt, WorkerRun run, long start) {
    return new Execution(ID, attempt, epoch, NODE, run, at(start), null);
  }

  private static Attempt record(
      long epoch, long number, AttemptOutcome outcome, long start, long end, long next) {
    Instant nextAttemptAt = next == 0 ? null : at(next);
    return new Attempt(
        ID, epoch, number, NODE, at(start), at(end), AttemptDetails.of(outcome), nextAttemptAt);
  }

  private static Task task(TaskState state, long epoch, TaskGiveUpReason reason) {
    return task(ID, state, epoch, reason, 31);
  }

  private static Task task(
      UUID id, TaskState state, long epoch, TaskGiveUpReason reason, long ended) {
    TaskDefinition definition =
        new TaskDefinition(
            Job.KIND, null, "{}", null, null, null, null, null, null, 0, null, null, null, null,
            null);
    return task(id, definition, state, epoch, reason, ended);
  }

  static Task task(
      UUID id,
      TaskDefinition definition,
      TaskState state,
      long epoch,
      TaskGiveUpReason reason,
      long ended) {
    return new Task(
        id,
        new UUID(0, 1),
        0,
        definition,
        state,
        Set.of(),
        epoch,
        null,
        null,
        null,
        new RetryCounters(1, 0, 0, null),
        new TaskTimes(at(1), at(1), at(1), at(30), at(ended), at(ended)),
        new Progress(0, 0, null),
        new LastResult(null, null, null, reason, null, null),
        DependencyCounts.NONE);
  }
}
