// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.spi.CompletedRun;
import dev.perdure.engine.spi.RunDecision;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.PolicyJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Everything that waits for locks of the same batch, at once; PostgreSQL counts the deadlocks. */
@Tag("slow")
final class LockOrderTest {

  private static final int ROUNDS = 200;
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
  void a_start_beside_a_stop_a_revive_and_a_submission_does_not_deadlock() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < ROUNDS; i++) {
        round(threads);
      }
    }
    assertThat(scenario.deadlocks()).isZero();
  }

  private void round(ExecutorService threads) throws Exception {
    scenario.store.claim(scenario.request(100)); // What earlier rounds left stays claimed.
    Task parent = scenario.running(1).getFirst();
    scenario.store.apply(List.of(scenario.success(parent)));
    List<Task> old = failed(parent.id());
    UUID batch = old.getFirst().batch();
    DueRun due = endRun(batch);
    TaskChange revive = scenario.lifecycle.revive(scenario.find(old.getLast()));
    List<Callable<?>> all =
        List.of(
            () -> scenario.store.batches().startRun(due, PostgresScenario::id),
            () -> scenario.store.batches().startRun(due, PostgresScenario::id),
            () -> scenario.store.batches().markStopped(batch),
            () -> scenario.store.batches().runAgain(due),
            () -> scenario.store.submit(after(parent.id(), old)),
            () -> revive(revive),
            () -> scenario.store.dependencies().propagate(100));
    List<Future<?>> running = new ArrayList<>();
    all.forEach(one -> running.add(threads.submit(one)));
    for (Future<?> one : running) {
      one.get();
    }
  }

  /** Refused when the run has been followed by another one. */
  private boolean revive(TaskChange revive) {
    try {
      return scenario.store.apply(List.of(revive)).getFirst().applied();
    } catch (StoreException refused) {
      assertThat(refused).hasMessageContaining("has a later run");
      return false;
    }
  }

  /** Submits a batch of tasks that depend on the parent; all of them fail. */
  private List<Task> failed(UUID parent) {
    List<NewTaskRow> rows =
        IntStream.range(0, 3)
            .mapToObj(
                i ->
                    new NewTaskRow(
                        PostgresScenario.id(), TaskDefinition.of("a", "{}"), DueTime.now()))
            .toList();
    UUID batch = PostgresScenario.id();
    scenario.store.submit(
        new Submission(
            batch,
            RETRIED,
            rows,
            rows.stream().map(row -> new Dependency(parent, row.id(), true)).toList(),
            null));
    List<Task> tasks =
        PostgresScenario.tasks(scenario.store.claim(scenario.request(100))).stream()
            .filter(task -> task.batch().equals(batch))
            .toList();
    Failure failure = Failure.explicit("final").withPermanent(true);
    scenario.store.apply(
        tasks.stream()
            .map(
                task ->
                    scenario.lifecycle.settle(
                        task, new Outcome.Failed(failure, null), scenario.clock.instant()))
            .toList());
    return tasks;
  }

  private DueRun endRun(UUID batch) {
    while (scenario.store.dependencies().propagate(100).events() > 0) {
      // Until all events are done.
    }
    CompletedRun run =
        scenario.store.batches().completedRuns(1_000).stream()
            .filter(it -> it.batch().equals(batch))
            .findFirst()
            .orElseThrow();
    assertThat(
            scenario
                .store
                .batches()
                .endRun(
                    new RunDecision(
                        batch,
                        run.run(),
                        run.version(),
                        run.outcome(),
                        null,
                        null,
                        Duration.ZERO,
                        run.last(),
                        List.of(),
                        List.of())))
        .isTrue();
    return new DueRun(batch, run.run() + 1);
  }

  /** A task that depends on the parent and on the tasks. */
  private static Submission after(UUID parent, List<Task> tasks) {
    UUID id = PostgresScenario.id();
    List<Dependency> dependencies = new ArrayList<>();
    dependencies.add(new Dependency(parent, id, true));
    tasks.forEach(task -> dependencies.add(new Dependency(task.id(), id, true)));
    return new Submission(
        PostgresScenario.id(),
        BatchDefinition.NONE,
        List.of(new NewTaskRow(id, TaskDefinition.of("child", "{}"), DueTime.now())),
        dependencies,
        null);
  }
}
