// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.perdure.engine.query.BatchFilter;
import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.spi.CompletedRun;
import dev.perdure.engine.spi.RunDecision;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.BatchRun;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Batches that run again. */
abstract class RunContract extends GraphContract {

  private static final Duration AGE = Duration.ofDays(1);

  RunContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private UUID batchOf(UUID task) {
    return find(task).batch();
  }

  private int start(DueRun run) {
    return store.batches().startRun(run, () -> ids.next(Shards.of(run.batch())));
  }

  /** Starts the run at once and returns its tasks. */
  private List<UUID> runAgain(UUID batch, int number) {
    DueRun run = new DueRun(batch, number);
    assertThat(store.batches().runAgain(run)).isTrue();
    List<UUID> started = new ArrayList<>();
    store
        .batches()
        .startRun(
            run,
            () -> {
              started.add(ids.next(Shards.of(batch)));
              return started.getLast();
            });
    return started;
  }

  private List<BatchRun> runs(UUID batch) {
    return store.batches().find(batch).orElseThrow().runs();
  }

  @Test
  void asking_for_the_same_run_again_starts_it_once() {
    List<UUID> tasks = graph("0>1");
    UUID batch = batchOf(tasks.getFirst());
    DueRun next = new DueRun(batch, 1);
    assertThat(store.batches().runAgain(next)).as("while it is live").isFalse();
    tasks.forEach(this::cancel);

    assertThat(store.batches().runAgain(next)).isTrue();
    assertThat(store.batches().runAgain(next)).as("while it is due").isTrue();
    assertThat(store.batches().dueRuns(LIMIT)).containsExactly(next);
    assertThat(start(next)).isEqualTo(2);
    assertThat(store.batches().runAgain(next)).as("when it has started").isTrue();
    assertThat(store.batches().dueRuns(LIMIT)).isEmpty();
    assertThat(start(next)).isZero();
    assertThat(runs(batch)).hasSize(2);
  }

  @Test
  void only_the_next_run_can_be_asked_for() {
    UUID task = submit(unique());
    UUID batch = batchOf(task);
    cancel(task);

    assertThat(store.batches().runAgain(new DueRun(batch, 2))).isFalse();
    assertThat(store.batches().dueRuns(LIMIT)).isEmpty();
    store.batches().runAgain(new DueRun(batch, 1));
    assertThat(start(new DueRun(batch, 1))).isOne();
    assertThat(store.batches().runAgain(new DueRun(batch, 2))).as("while it is live").isFalse();
    assertThat(store.batches().runAgain(new DueRun(ids.next(0), 1))).as("unknown").isFalse();
  }

  @Test
  void a_batch_that_is_being_deleted_does_not_run_again() {
    List<UUID> tasks = graph("0>1 1>2");
    UUID batch = batchOf(tasks.getFirst());
    tasks.forEach(this::cancel);
    propagate();
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.maintenance().purge(AGE, 1)).isOne();

    assertThat(store.batches().runAgain(new DueRun(batch, 1))).isFalse();
    assertThat(store.maintenance().purge(AGE, LIMIT)).isEqualTo(2);
    assertThat(store.batches().runAgain(new DueRun(batch, 1))).isFalse();
    assertThat(store.batches().dueRuns(LIMIT)).isEmpty();
    assertThat(store.batches().currentRun(batch)).isEmpty();
  }

  @Test
  void a_task_that_depends_on_an_earlier_run_depends_on_the_current_one() {
    List<UUID> first = graph("0>1");
    UUID batch = batchOf(first.getFirst());
    first.forEach(this::cancel);
    List<UUID> second = runAgain(batch, 1);
    second.forEach(this::cancel);
    propagate();
    decide();
    List<UUID> third = runAgain(batch, 2);

    UUID child = after(first.getLast());
    UUID other = after(second.getLast(), third.getFirst());
    assertThat(parents(child)).containsExactly(third.getLast());
    assertThat(parents(other)).containsExactly(third.getFirst(), third.getLast());
    assertStates(List.of(child, other), "waiting waiting");
    third.forEach(
        id -> {
          succeed(id);
          propagate();
        });
    assertStates(List.of(child, other), "pending pending");
    assertStates(List.of(after(first.getFirst())), "pending");
  }

  private List<UUID> parents(UUID child) {
    return store.batches().parents(child, LIMIT).stream().map(ParentTask::id).toList();
  }

  /** Writes down how the current runs ended. */
  private void decide() {
    for (CompletedRun run : store.batches().completedRuns(LIMIT)) {
      assertThat(store.batches().endRun(decision(run, null, List.of()))).isTrue();
    }
  }

  private static RunDecision decision(
      CompletedRun run, @Nullable Duration delay, List<NewDelivery> deliveries) {
    return new RunDecision(
        run.batch(),
        run.run(),
        run.version(),
        run.outcome(),
        null,
        null,
        delay,
        run.last(),
        deliveries,
        List.of());
  }

  @Test
  void a_decision_writes_its_deliveries_also_when_the_batch_runs_again() {
    UUID failed = submit(unique());
    UUID batch = batchOf(failed);
    fail(failed);
    UUID second = runAgain(batch, 1).getFirst();
    fail(second);
    propagate();
    CompletedRun run = store.batches().completedRuns(LIMIT).getFirst();
    NewDelivery delivery =
        new NewDelivery(ids.next(Shards.of(batch)), new DeliveryMessage("on_retry", "{}"));

    RunDecision again = decision(run, AGE, List.of(delivery));
    assertThat(store.batches().endRun(again)).isTrue();
    assertThat(store.batches().endRun(again)).isFalse();

    assertThat(store.outbox().list(DeliveryFilter.all(), PageRequest.first(10)).deliveries())
        .extracting(Delivery::id, Delivery::task, Delivery::batch)
        .containsExactly(tuple(delivery.id(), second, batch));
  }

  @Test
  void a_batch_is_listed_by_the_tasks_of_its_current_run() {
    UUID old = submit(unique());
    UUID batch = batchOf(old);
    fail(old);
    UUID current = runAgain(batch, 1).getFirst();
    assertThat(listed(null, true)).containsExactly(batch);
    assertThat(listed(DisplayStatus.PENDING, null)).containsExactly(batch);
    assertThat(listed(DisplayStatus.FAILURE, null)).isEmpty();

    succeed(current);
    propagate();
    decide();
    assertThat(listed(null, false)).containsExactly(batch);
    assertThat(store.batches().find(batch).orElseThrow().counts())
        .isEqualTo(Map.of(DisplayStatus.SUCCESS, 1L));
  }

  private List<UUID> listed(@Nullable DisplayStatus status, @Nullable Boolean live) {
    BatchFilter filter = new BatchFilter(null, null, status, null, null, live);
    return store.batches().list(filter, PageRequest.first(10)).batches().stream()
        .map(BatchSummary::id)
        .toList();
  }

  @Test
  void naming_the_same_task_of_two_runs_gives_one_dependency() {
    UUID old = submit(unique());
    cancel(old);
    UUID current = runAgain(batchOf(old), 1).getFirst();
    int shard = Shards.of(old);
    UUID child = ids.next(shard);
    store.submit(
        new Submission(
            ids.next(shard),
            BatchDefinition.NONE,
            List.of(new NewTaskRow(child, unique().definition(), DueTime.now())),
            List.of(new Dependency(old, child, true), new Dependency(current, child, false)),
            null));

    assertThat(store.batches().parents(child, LIMIT))
        .extracting(ParentTask::id, ParentTask::requiresSuccess)
        .containsExactly(tuple(current, true));
    assertThat(counts(child)).isEqualTo(new DependencyCounts(1, 0));
  }

  @Test
  void a_task_of_an_earlier_run_cannot_be_resolved() {
    UUID old = submit(unique());
    fail(old);
    TaskChange resolve = lifecycle.resolve(find(old), null, "by hand");
    runAgain(batchOf(old), 1);

    assertThat(store.apply(List.of(resolve)))
        .containsExactly(WriteResult.refused(TaskState.FAILURE, find(old).epoch()));
    assertThat(find(old).state()).isEqualTo(TaskState.FAILURE);
  }
}
