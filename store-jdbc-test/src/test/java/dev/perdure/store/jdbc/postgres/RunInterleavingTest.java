// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.spi.CompletedRun;
import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.RunDecision;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.PolicyJson;
import dev.perdure.store.jdbc.sql.BatchRowMapper.BatchRow;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The start and the end of a run beside other writes to its tasks, one of them held open. */
final class RunInterleavingTest {

  private static final BatchDefinition RETRIED =
      new BatchDefinition(
          null,
          null,
          PolicyJson.write(RetryPolicy.fixed(Duration.ofSeconds(1)).build()).toString(),
          null,
          null,
          null);

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  @Test
  void a_late_callback_of_the_run_before_does_not_touch_the_new_run() throws Exception {
    List<Task> old = running(2);
    UUID batch = old.getFirst().batch();
    old.forEach(task -> scenario.store.apply(List.of(failure(task))));
    DueRun due = endRun(batch, Duration.ZERO);

    try (Connection starting = scenario.database.begin()) {
      assertThat(start(starting, due)).isEqualTo(2);
      assertCallbacksAreTooLate(old);
      Future<Integer> other =
          scenario.blocked(() -> scenario.store.batches().startRun(due, PostgresScenario::id));
      starting.commit();
      assertThat(other.get()).as("tasks that another node starts").isZero();
    }

    assertCallbacksAreTooLate(old);
    List<Task> current = PostgresScenario.tasks(scenario.store.claim(scenario.request(10)));
    assertThat(current).hasSize(2).allMatch(task -> task.run() == 1);
    assertCallbacksAreTooLate(old);
    propagateAll();
    assertThat(open(batch, 0)).isZero();
    assertThat(open(batch, 1)).isEqualTo(2);
    assertThat(current.stream().map(scenario::find)).isEqualTo(current);

    current.forEach(task -> scenario.store.apply(List.of(scenario.success(task))));
    assertCallbacksAreTooLate(old);
    propagateAll();
    assertThat(open(batch, 1)).isZero();
    assertThat(scenario.store.batches().completedRuns(10))
        .extracting(CompletedRun::run, CompletedRun::outcome)
        .containsExactly(tuple(1, BatchOutcome.SUCCESS));
  }

  /** Completion, heartbeat and progress with the lease of an attempt that was given up. */
  private void assertCallbacksAreTooLate(List<Task> old) {
    for (Task task : old) {
      WriteResult ended = WriteResult.refused(TaskState.FAILURE, task.epoch());
      Task before = scenario.find(task);
      assertThat(scenario.store.apply(List.of(scenario.success(task)))).containsExactly(ended);
      assertThat(scenario.store.heartbeat(List.of(new Heartbeat(task.lease(), 7L, null, null))))
          .containsExactly(ended);
      assertThat(scenario.store.addProgress(List.of(new ProgressReport(task.lease(), 1, 0, null))))
          .containsExactly(ended);
      assertThat(scenario.find(task)).isEqualTo(before);
    }
  }

  @Test
  void a_run_does_not_start_while_one_of_its_tasks_is_revived() throws Exception {
    Task old = running(1).getFirst();
    scenario.store.apply(List.of(failure(old)));
    DueRun due = endRun(old.batch(), Duration.ZERO);
    try (Connection reviving = scenario.database.begin()) {
      scenario.apply(reviving, scenario.lifecycle.revive(scenario.find(old)));
      Future<Integer> started =
          scenario.blocked(() -> scenario.store.batches().startRun(due, PostgresScenario::id));
      reviving.commit();
      assertThat(started.get()).isZero();
    }
    propagateAll();
    assertThat(open(old.batch(), 0)).isOne();
    assertThat(scenario.store.batches().currentRun(old.batch())).contains(0);
  }

  /** Both need the task of the run and an older task that it depends on. */
  @Test
  void a_start_and_a_submission_lock_tasks_in_the_same_order() throws Exception {
    Task parent = scenario.running(1).getFirst();
    scenario.store.apply(List.of(scenario.success(parent)));
    Task old = running(1, parent.id()).getFirst();
    scenario.store.apply(List.of(failure(old)));
    DueRun due = endRun(old.batch(), Duration.ZERO);
    try (Connection submitting = scenario.database.begin()) {
      submitAfter(submitting, parent);
      Future<Integer> started =
          scenario.blocked(() -> scenario.store.batches().startRun(due, PostgresScenario::id));
      submitAfter(submitting, old);
      submitting.commit();
      assertThat(started.get()).isOne();
    }
  }

  private void submitAfter(Connection connection, Task parent) {
    UUID id = PostgresScenario.id();
    Submission submission =
        new Submission(
            PostgresScenario.id(),
            BatchDefinition.NONE,
            List.of(new NewTaskRow(id, TaskDefinition.of("child", "{}"), DueTime.now())),
            List.of(new Dependency(parent.id(), id, true)),
            null);
    assertThat(scenario.store.inTransaction(connection).submit(submission))
        .isEqualTo(submission.stored());
  }

  @Test
  void a_stop_beside_the_decision_to_run_again_makes_the_batch_final() throws Exception {
    Task old = running(1).getFirst();
    scenario.store.apply(List.of(failure(old)));
    propagateAll();
    CompletedRun read = scenario.store.batches().completedRuns(10).getFirst();
    try (Connection ending = scenario.database.begin()) {
      assertThat(
              new PostgresRuns(scenario.executor).end(ending, decision(read, Duration.ofDays(7))))
          .isTrue();
      Future<Boolean> stopped =
          scenario.blocked(() -> scenario.store.batches().markStopped(old.batch()));
      ending.commit();
      assertThat(stopped.get()).isTrue();
    }
    CompletedRun again = scenario.store.batches().completedRuns(10).getFirst();
    assertThat(again.stopped()).isTrue();
    assertThat(scenario.store.batches().endRun(decision(read, Duration.ofDays(7)))).isFalse();
    assertThat(scenario.store.batches().endRun(decision(again, null))).isTrue();
  }

  @Test
  void a_batch_that_retention_deletes_meanwhile_does_not_run_again() throws Exception {
    Task task = scenario.running(1).getFirst();
    scenario.store.apply(List.of(scenario.success(task)));
    scenario.execute(
        "UPDATE perdure_batch SET deleted_up_to = '00000000-0000-0000-0000-000000000000'");
    try (Connection deleting = scenario.database.begin();
        NamedParameterStatement delete = scenario.executor.statement(deleting, "batch.delete")) {
      PostgresParameters.instant(delete, "now", scenario.clock.instant());
      assertThat(delete.integer("shard", 0).integer("limit", 10).query().next()).isTrue();
      assertThat(scenario.store.batches().runAgain(new DueRun(task.batch(), 1))).isFalse();
      deleting.commit();
    }
    try (Connection connection = scenario.database.connect()) {
      assertThat(PostgresScenario.number(connection, "SELECT count(*) FROM perdure_run")).isZero();
    }
  }

  private List<Task> running(int tasks) {
    return running(tasks, null);
  }

  /**
   * Submits a batch with a retry policy, whose tasks depend on the parent, and claims its tasks.
   */
  private List<Task> running(int tasks, @Nullable UUID parent) {
    List<NewTaskRow> rows =
        IntStream.range(0, tasks)
            .mapToObj(
                i ->
                    new NewTaskRow(
                        PostgresScenario.id(), TaskDefinition.of("a", "{}"), DueTime.now()))
            .toList();
    scenario.store.submit(
        new Submission(
            PostgresScenario.id(),
            RETRIED,
            rows,
            parent == null
                ? List.of()
                : rows.stream().map(row -> new Dependency(parent, row.id(), true)).toList(),
            null));
    return PostgresScenario.tasks(scenario.store.claim(scenario.request(tasks)));
  }

  private TaskChange failure(Task task) {
    Failure failure = Failure.explicit("final").withPermanent(true);
    return scenario.lifecycle.settle(
        task, new Outcome.Failed(failure, null), scenario.clock.instant());
  }

  private void propagateAll() {
    while (scenario.store.dependencies().propagate(100).events() > 0) {
      // Until all events are done.
    }
  }

  /** Ends the run whose tasks have all ended; the next one is due after the delay. */
  private DueRun endRun(UUID batch, @Nullable Duration delay) {
    propagateAll();
    CompletedRun run = scenario.store.batches().completedRuns(10).getFirst();
    assertThat(run.batch()).isEqualTo(batch);
    assertThat(scenario.store.batches().endRun(decision(run, delay))).isTrue();
    return new DueRun(batch, run.run() + 1);
  }

  private static RunDecision decision(CompletedRun run, @Nullable Duration delay) {
    return new RunDecision(
        run.batch(),
        run.run(),
        run.version(),
        run.outcome(),
        null,
        null,
        delay,
        run.last(),
        List.of(),
        List.of());
  }

  private int start(Connection connection, DueRun due) throws SQLException {
    BatchRow batch =
        new BatchRow(due.batch(), RETRIED, due.number() - 1, scenario.clock.instant(), null, 1);
    return new PostgresRuns(scenario.executor).start(connection, batch, due, PostgresScenario::id);
  }

  private long open(UUID batch, int run) throws SQLException {
    try (Connection connection = scenario.database.connect()) {
      return PostgresScenario.number(
          connection,
          "SELECT open FROM perdure_run WHERE batch = '%s' AND run = %d".formatted(batch, run));
    }
  }
}
