// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Batch;
import dev.perdure.engine.BatchStopResult;
import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fault: stopping a batch locked its tasks in one order and completions locked them in another; one
 * of the two was aborted, and a completion was lost.
 */
class Fault05StopBatchDeadlockTest {

  private static final int ROUNDS = 1_000;
  private static final LeaseOwner WORKER =
      new LeaseOwner.RemoteOwner("worker", Duration.ofMinutes(10));

  private final TaskLifecycle lifecycle = new TaskLifecycle(LossLimit.DEFAULT);

  @ParameterizedTest
  @EnumSource
  void stop_beside_completions_loses_nothing(TestStore testStore) throws Exception {
    try (TestCluster cluster = new TestCluster(testStore);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Engine engine = cluster.node(TestCluster.SUCCEEDS).engine;
      for (int i = 0; i < ROUNDS; i++) {
        round(cluster, engine, threads);
      }
    }
  }

  private void round(TestCluster cluster, Engine engine, ExecutorService threads) throws Exception {
    SubmissionReceipt batch = engine.submit(Batch.of(graph()));
    List<Task> running = claim(cluster);
    Callable<BatchStopResult> stop = () -> engine.stopBatch(batch.batch());
    Callable<List<WriteResult>> completions =
        () -> cluster.store().apply(successes(cluster, running));
    Callable<Integer> propagation = () -> cluster.store().dependencies().propagate(100).events();

    List<Future<?>> all = new ArrayList<>();
    Future<List<WriteResult>> completed = threads.submit(completions);
    all.add(threads.submit(stop));
    all.add(completed);
    all.add(threads.submit(propagation));
    for (Future<?> one : all) {
      one.get();
    }

    List<WriteResult> results = completed.get();
    for (int i = 0; i < running.size(); i++) {
      assertThat(cluster.find(running.get(i).id()).state())
          .isEqualTo(results.get(i).applied() ? TaskState.SUCCESS : TaskState.CANCELED);
    }
    for (UUID id : batch.ids()) {
      Task task = cluster.find(id);
      assertThat(task.state()).isIn(TaskState.SUCCESS, TaskState.CANCELED);
      assertThat(cluster.attempts(id)).hasSize((int) task.epoch());
    }
  }

  /** Two tasks that run, and four that wait for them and for each other. */
  private static List<NewTask> graph() {
    return List.of(
        NewTask.of("other", 0).id("a"),
        NewTask.of("other", 0).id("b"),
        NewTask.of("idle", 0).id("c").after("a", "b"),
        NewTask.of("idle", 0).id("d").after("a"),
        NewTask.of("idle", 0).id("e").afterEvenIfFailed("c", "d"),
        NewTask.of("idle", 0).after("e", "b"));
  }

  private static List<Task> claim(TestCluster cluster) {
    List<Task> tasks =
        cluster
            .store()
            .claim(new ClaimRequest(WORKER, List.of(new QueueCapacity("other", 10)), 10, true))
            .leases()
            .stream()
            .map(Lease::task)
            .toList();
    assertThat(tasks).hasSize(2);
    return tasks;
  }

  private List<TaskChange> successes(TestCluster cluster, List<Task> tasks) {
    return tasks.stream()
        .map(task -> lifecycle.settle(task, new Outcome.Succeeded(null), cluster.clock.instant()))
        .toList();
  }
}
