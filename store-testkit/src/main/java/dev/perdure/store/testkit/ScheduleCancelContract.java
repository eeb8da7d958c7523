// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Batch;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.schedule.Overlap;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What becomes of tasks and batches when a schedule, or its retries, are canceled. */
abstract class ScheduleCancelContract extends ScheduleAdminContract {

  private static final RetryPolicy HOURLY =
      RetryPolicy.fixed(Duration.ofHours(1)).unlimitedRetries().build();
  private static final Batch RETRIED_BATCH =
      Batch.of(NewTask.of("sync", "x").retry(RetryPolicy.none())).retry(HOURLY);

  ScheduleCancelContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** Fires so often that the firings of the first batches are not kept, and lets each fail. */
  private List<UUID> failedBatches(ManualEngine node, Schedule schedule) {
    failing = true;
    List<UUID> batches = new ArrayList<>();
    for (int i = 0; i <= ScheduleStore.MAX_KEPT; i++) {
      clock.advance(MILLI);
      batches.add(schedules(node).trigger(schedule.id()));
    }
    for (int i = 0; i <= ScheduleStore.MAX_KEPT && open(batches) > 0; i++) {
      work(node);
      node.propagate();
      node.retryBatches();
    }
    assertThat(open(batches)).isZero();
    return batches;
  }

  private long open(List<UUID> batches) {
    return batches.stream()
        .map(batch -> store.batches().find(batch).orElseThrow())
        .filter(batch -> batch.runs().getLast().nextRunAt() == null)
        .count();
  }

  private void assertNoneRunsAgain(ManualEngine node, List<UUID> batches) {
    while (node.retryBatches() > 0) {
      node.propagate();
    }
    clock.advance(Duration.ofHours(2));
    node.renew();
    assertThat(node.retryBatches()).isZero();
    assertThat(batches)
        .allSatisfy(
            batch -> {
              BatchSummary found = store.batches().find(batch).orElseThrow();
              assertThat(found.run()).isZero();
              assertThat(found.stoppedAt()).isNotNull();
            });
  }

  @Test
  void deleting_it_stops_all_batches_that_would_run_again() {
    ManualEngine node = node("north");
    Schedule schedule =
        schedules(node).create("nightly", EVERY_MINUTE, RETRIED_BATCH, DEFAULTS.withEnabled(false));
    List<UUID> batches = failedBatches(node, schedule);
    assertThat(schedules(node).waitingRuns(schedule.id(), 5)).hasSize(5);

    assertThat(schedules(node).delete(schedule.id())).isEqualTo(batches.size());

    assertNoneRunsAgain(node, batches);
  }

  @Test
  void canceling_its_retries_stops_all_batches_that_wait() {
    ManualEngine node = node("north");
    Schedule schedule =
        schedules(node).create("nightly", EVERY_MINUTE, RETRIED_BATCH, DEFAULTS.withEnabled(false));
    List<UUID> batches = failedBatches(node, schedule);

    assertThat(schedules(node).cancelRetries(schedule.id(), null)).isEqualTo(batches.size());

    assertNoneRunsAgain(node, batches);
    assertThat(find(node, "nightly").firings()).isEqualTo(batches.size());
  }

  private void assertBelongs(UUID batch, Schedule schedule) {
    TaskFilter tasks = TaskFilter.all().withBatch(batch);
    assertThat(store.reader().list(tasks, PageRequest.first(9)).tasks())
        .isNotEmpty()
        .allSatisfy(
            task ->
                assertThat(store.reader().relations(task.id()).schedule())
                    .isEqualTo(schedule.id()));
  }

  @Test
  void a_batch_belongs_to_its_schedule_in_later_runs_too() {
    ManualEngine node = node("north");
    Schedule schedule =
        schedules(node).create("nightly", EVERY_MINUTE, RETRIED_BATCH, DEFAULTS.withEnabled(false));
    failing = true;
    UUID batch = schedules(node).trigger(schedule.id());
    for (int run = 0; run < 2; run++) {
      assertBelongs(batch, schedule);
      work(node);
      node.propagate();
      node.retryBatches();
      assertThat(store.schedules().unfinishedBatches(schedule.id(), true, null, 10))
          .containsExactly(batch);
      clock.advance(Duration.ofHours(2));
      node.renew();
      node.retryBatches();
      assertThat(store.schedules().unfinishedBatches(schedule.id(), true, null, 10)).isEmpty();
      assertThat(store.schedules().unfinishedBatches(schedule.id(), false, null, 10))
          .containsExactly(batch);
      assertThat(store.schedules().unfinishedBatches(schedule.id(), false, batch, 10))
          .containsExactly(batch);
    }
  }

  @Test
  void canceling_its_retries_cancels_one_that_runs() {
    ManualEngine node = node("north");
    RetryPolicy soon = RetryPolicy.fixed(MILLI).unlimitedRetries().build();
    Schedule schedule =
        schedules(node)
            .create(
                "nightly",
                EVERY_MINUTE,
                Batch.of(NewTask.of("sync", "x").retry(soon)),
                DEFAULTS.withEnabled(false));
    failing = true;
    schedules(node).trigger(schedule.id());
    work(node);
    clock.advance(Duration.ofSeconds(1));
    node.renew();
    node.claim();
    Task retry = schedules(node).retriesUnderWay(schedule.id(), 10).getFirst();
    assertThat(retry.state()).isEqualTo(TaskState.RUNNING);

    assertThat(schedules(node).cancelRetries(schedule.id(), retry.id())).isEqualTo(1);

    assertThat(store.reader().find(retry.id()).orElseThrow().state()).isEqualTo(TaskState.CANCELED);
    handlers.clear();
  }

  @Test
  void a_retry_behind_many_live_tasks_is_canceled() {
    ManualEngine node = node("north");
    Batch batch =
        Batch.of(
            IntStream.rangeClosed(0, 1_000)
                .mapToObj(
                    i ->
                        i < 1_000 ? NewTask.of("idle", "x") : NewTask.of("sync", "x").retry(HOURLY))
                .toList());
    Schedule schedule =
        schedules(node).create("nightly", EVERY_MINUTE, batch, DEFAULTS.withEnabled(false));
    failing = true;
    schedules(node).trigger(schedule.id());
    work(node);
    UUID retry = store.schedules().liveTasks(schedule.id(), 2_000).getLast();

    assertThat(schedules(node).cancelRetries(schedule.id(), UUID.randomUUID())).isZero();
    assertThat(schedules(node).cancelRetries(schedule.id(), retry)).isEqualTo(1);

    assertThat(schedules(node).delete(schedule.id())).isEqualTo(1_000);
    assertThat(store.schedules().liveTasks(schedule.id(), 10)).isEmpty();
  }

  @Test
  void deleting_it_cancels_children_before_their_parents() {
    ManualEngine node = node("north");
    NewTask parent = NewTask.of("sync", "x").id("parent");
    Schedule schedule =
        schedules(node)
            .create(
                "nightly",
                EVERY_MINUTE,
                Batch.of(parent, NewTask.of("sync", "x").after("parent")),
                DEFAULTS.withOverlap(Overlap.ALLOW).withEnabled(false));
    schedules(node).trigger(schedule.id());
    List<UUID> tasks = store.schedules().liveTasks(schedule.id(), 10);

    assertThat(schedules(node).delete(schedule.id())).isEqualTo(2);

    node.propagate();
    assertThat(store.reader().findAll(tasks))
        .hasSize(2)
        .allMatch(task -> task.state() == TaskState.CANCELED);
    Task first = store.reader().find(tasks.getFirst()).orElseThrow();
    assertThat(store.batches().find(first.batch()).orElseThrow().stoppedAt()).isNotNull();
  }
}
