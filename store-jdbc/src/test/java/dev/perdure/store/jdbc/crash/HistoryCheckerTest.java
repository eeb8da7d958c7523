// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
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

/** Histories made by hand: a good one, and that one with one thing wrong. */
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
  void a_good_history_has_no_faults() {
    assertThat(violations()).isEmpty();
  }

  @Test
  void an_acknowledged_task_is_missing() {
    stored = false;
    executions.clear();
    assertThat(violations()).singleElement().asString().contains("acknowledged and is not in");
  }

  @Test
  void a_task_was_executed_that_is_missing() {
    stored = false;
    assertThat(violations()).anyMatch(it -> it.contains("executed and is not in"));
  }

  @Test
  void a_task_has_not_ended() {
    task = task(TaskState.RUNNING, 3, null);
    assertThat(violations()).singleElement().asString().contains("has not ended");
  }

  @Test
  void a_task_ended_twice() {
    records.add(record(4, 1, AttemptOutcome.SUCCESS, 40, 41, 0));
    executions.add(execution(4, 1, ALIVE, 40).ended(new End(at(41), EndKind.SUCCESS)));
    task = task(TaskState.SUCCESS, 4, null);
    assertThat(violations()).singleElement().asString().contains("has 2 ends");
  }

  @Test
  void a_task_ended_otherwise_than_its_last_record_says() {
    task = task(TaskState.FAILURE, 3, TaskGiveUpReason.EXHAUSTED);
    assertThat(violations()).singleElement().asString().contains("but its end is");
  }

  @Test
  void a_task_ended_as_lost() {
    task = task(TaskState.FAILURE, 3, TaskGiveUpReason.LOST);
    assertThat(violations()).contains("task " + ID + ": ended as lost");
  }

  @Test
  void an_execution_has_no_record() {
    records.remove(0);
    assertThat(violations())
        .anyMatch(it -> it.contains("an execution without a record"))
        .anyMatch(it -> it.contains("records of the epochs [2, 3]"));
  }

  @Test
  void an_attempt_is_left_out() {
    records.set(2, record(3, 2, AttemptOutcome.SUCCESS, 30, 31, 0));
    assertThat(violations()).anyMatch(it -> it.contains("has attempt 2 in place of 1"));
  }

  @Test
  void a_record_tells_of_an_execution_that_nobody_knows() {
    executions.remove(2);
    assertThat(violations()).singleElement().asString().contains("that nobody knows");
  }

  @Test
  void a_record_contradicts_the_handler() {
    executions.set(2, execution(3, 1, ALIVE, 30).ended(new End(at(31), EndKind.FAILURE)));
    assertThat(violations()).singleElement().asString().contains("contradicts");
  }

  @Test
  void a_lease_of_a_process_that_lived_was_lost() {
    executions.set(0, execution(1, 0, ALIVE, 10).ended(new End(at(11), EndKind.INTERRUPTED)));
    assertThat(violations()).singleElement().asString().contains("contradicts");
  }

  @Test
  void a_lease_was_lost_before_its_process_was_killed() {
    WorkerRun later = new WorkerRun("later", at(16));
    executions.set(0, execution(1, 0, later, 10));
    assertThat(violations()).singleElement().asString().contains("contradicts");
  }

  @Test
  void a_lease_that_never_began_was_lost_although_no_process_was_killed() {
    executions.remove(0);
    assertThat(violations()).isEmpty();
    runs = List.of(ALIVE);
    assertThat(violations()).singleElement().asString().contains("that nobody knows");
  }

  @Test
  void two_executions_overlap() {
    executions.set(1, execution(2, 0, ALIVE, 20).ended(new End(at(32), EndKind.FAILURE)));
    assertThat(violations()).singleElement().asString().contains("ran twice at once");
  }

  @Test
  void one_lease_ran_twice() {
    executions.add(execution(3, 1, ALIVE, 33).ended(new End(at(34), EndKind.SUCCESS)));
    assertThat(violations()).anyMatch(it -> it.contains("ran twice under one lease"));
  }

  @Test
  void a_retry_started_before_it_was_due() {
    records.set(1, record(2, 0, AttemptOutcome.FAILURE, 20, 21, 31));
    assertThat(violations()).singleElement().asString().contains("started before it was due");
  }

  private List<String> violations() {
    List<StoredHistory> told = stored ? List.of(new StoredHistory(task, records)) : List.of();
    return HistoryChecker.violations(new History(Set.of(ID), told, runs, executions));
  }

  private static Instant at(long second) {
    return Instant.ofEpochSecond(second);
  }

  private static Execution execution(long epoch, long attempt, WorkerRun run, long start) {
    return new Execution(ID, attempt, epoch, NODE, run, at(start), null);
  }

  private static Attempt record(
      long epoch, long number, AttemptOutcome outcome, long start, long end, long next) {
    Instant nextAt = next == 0 ? null : at(next);
    return new Attempt(
        ID, epoch, number, NODE, at(start), at(end), AttemptDetails.of(outcome), nextAt);
  }

  private static Task task(TaskState state, long epoch, TaskGiveUpReason reason) {
    TaskDefinition taskDefinition =
        new TaskDefinition(
            Job.KIND, null, "{}", null, null, null, null, null, 0, null, null, null, null, null);
    return new Task(
        ID,
        new UUID(0, 1),
        0,
        taskDefinition,
        state,
        0,
        epoch,
        null,
        null,
        null,
        new RetryCounters(1, 0, 0, null),
        new TaskTimes(at(1), at(1), at(1), at(30), at(31), at(31)),
        new Progress(0, 0, null),
        new LastResult(null, null, null, reason, null));
  }
}
