// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.task.BatchRun;
import dev.perdure.engine.task.Shards;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
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
}
