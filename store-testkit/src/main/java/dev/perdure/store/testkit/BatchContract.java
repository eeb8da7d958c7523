// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a store knows about a batch as a whole, and about the parents of a task. */
abstract class BatchContract extends GraphContract {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration AGE = Duration.ofDays(1);

  BatchContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private UUID submitBatch(BatchDefinition definition, List<NewTaskRow> rows) {
    UUID batch = ids.next(rowShard(rows));
    store.submit(new Submission(batch, definition, rows, List.of(), null));
    return batch;
  }

  private static int rowShard(List<NewTaskRow> rows) {
    return Shards.of(rows.getFirst().id());
  }

  private static NewTaskRow row(UUID id, String kind, @Nullable Long expected) {
    return new NewTaskRow(
        id, TestTask.withoutRetry(kind).definition(), DueTime.now(), null, expected);
  }

  private BatchSummary summary(UUID batch) {
    return store.batches().find(batch).orElseThrow();
  }

  private UUID batchOf(UUID task) {
    return find(task).batch();
  }

  @Test
  void a_batch_has_the_definition_it_was_submitted_with() {
    int shard = nextShard();
    BatchDefinition full = new BatchDefinition("Mai 'ö\" 100%", "{\"month\": 5}");
    UUID named = submitBatch(full, List.of(row(ids.next(shard), "a", null)));
    UUID plain = submitBatch(BatchDefinition.NONE, List.of(row(ids.next(shard), "a", null)));

    assertThat(store.batches().definition(named)).contains(full);
    assertThat(summary(named).definition()).isEqualTo(full);
    assertThat(store.batches().definition(plain)).contains(BatchDefinition.NONE);
    assertThat(summary(plain).definition()).isEqualTo(BatchDefinition.NONE);
  }

  @Test
  void the_task_that_failed_first_is_one_that_failed_by_itself() {
    UUID outside = submit(unique());
    UUID child = after(outside);
    List<UUID> tasks = graph("0>3 1>4 2>5");
    UUID batch = batchOf(tasks.getFirst());
    assertThat(store.batches().firstFailed(batch, 0)).isEmpty();
    cancel(tasks.get(2));
    propagate();
    assertThat(find(tasks.get(5)).state()).isEqualTo(TaskState.FAILURE);
    assertThat(store.batches().firstFailed(batch, 0)).isEmpty();
    for (UUID failing : List.of(tasks.get(1), tasks.get(0), outside)) {
      clock.advance(MILLI);
      fail(failing);
      propagate();
    }

    assertThat(store.batches().firstFailed(batch, 0)).contains(tasks.get(1));
    assertThat(store.batches().firstFailed(batch, 1)).isEmpty();
    assertThat(store.batches().firstFailed(batchOf(child), 0)).isEmpty();
    assertThat(store.batches().firstFailed(ids.next(nextShard()), 0)).isEmpty();
  }

  @Test
  void an_unknown_batch_is_not_found() {
    UUID unknown = ids.next(nextShard());

    assertThat(store.batches().find(unknown)).isEmpty();
    assertThat(store.batches().definition(unknown)).isEmpty();
    assertThat(store.batches().dependencies(unknown, LIMIT)).isEmpty();
    assertThat(store.batches().parents(unknown, LIMIT)).isEmpty();
    assertThat(store.batches().markStopped(unknown)).isFalse();
  }

  @Test
  void a_new_batch_is_summarized() {
    int shard = nextShard();
    UUID batch =
        submitBatch(
            BatchDefinition.NONE,
            List.of(
                row(ids.next(shard), "b", 2L),
                row(ids.next(shard), "a", 3L),
                row(ids.next(shard), "b", 0L)));
    Instant now = clock.instant();

    assertThat(summary(batch))
        .isEqualTo(
            new BatchSummary(
                batch,
                BatchDefinition.NONE,
                0,
                List.of(),
                now,
                now,
                null,
                null,
                Map.of(DisplayStatus.PENDING, 3L),
                0,
                0,
                5L,
                List.of("a", "b"),
                false));
  }

  @Test
  void tasks_are_counted_by_the_status_that_is_shown() {
    List<UUID> tasks = graph("0>1 2>3 4>5 6>7 8>9");
    UUID batch = batchOf(tasks.getFirst());
    succeed(tasks.get(0));
    propagate();
    write(lifecycle.pause(find(tasks.get(1))));
    write(lifecycle.pause(find(tasks.get(3))));
    claimed(find(tasks.get(2)).definition().kind());
    run(tasks.get(4));
    settle(run(tasks.get(6)), FAILED);
    write(lifecycle.settle(run(tasks.get(8)), new Outcome.Parked("unreadable"), clock.instant()));

    assertThat(summary(batch).counts())
        .isEqualTo(
            Map.of(
                DisplayStatus.SUCCESS, 1L,
                DisplayStatus.PAUSED, 2L,
                DisplayStatus.CLAIMED, 1L,
                DisplayStatus.RUNNING, 1L,
                DisplayStatus.WAITING, 3L,
                DisplayStatus.RETRY_PENDING, 1L,
                DisplayStatus.PARKED, 1L));
    assertThat(summary(batch).tasks()).isEqualTo(10);
    assertThat(summary(batch).count(DisplayStatus.FAILURE)).isZero();
  }

  @Test
  void a_batch_ends_with_its_last_task_and_comes_back_with_a_revived_one() {
    List<UUID> tasks = graph("0>1");
    UUID batch = batchOf(tasks.getFirst());
    Instant created = clock.instant();
    clock.advance(HOUR);
    fail(tasks.getFirst());
    assertThat(summary(batch).endedAt()).isNull();
    assertThat(summary(batch).updatedAt()).isEqualTo(clock.instant());
    clock.advance(HOUR);
    propagate();

    assertThat(summary(batch).endedAt()).isEqualTo(clock.instant());
    assertThat(summary(batch).updatedAt()).isEqualTo(clock.instant());
    assertThat(summary(batch).createdAt()).isEqualTo(created);
    assertThat(summary(batch).counts()).isEqualTo(Map.of(DisplayStatus.FAILURE, 2L));
    revive(tasks.getFirst());
    assertThat(summary(batch).endedAt()).isNull();
  }

  @Test
  void counters_are_added_up() {
    int shard = nextShard();
    UUID first = ids.next(shard);
    UUID second = ids.next(shard);
    UUID batch =
        submitBatch(BatchDefinition.NONE, List.of(row(first, "a", 7L), row(second, "b", null)));
    List<WriteResult> results =
        store.addProgress(
            List.of(
                new ProgressReport(running("a").lease(), 3, 1, null),
                new ProgressReport(running("b").lease(), 4, 2, null)));

    assertThat(results).allMatch(WriteResult::applied);
    assertThat(summary(batch).success()).isEqualTo(7);
    assertThat(summary(batch).failures()).isEqualTo(3);
    assertThat(summary(batch).expected()).as("one task does not know").isNull();
  }

  @Test
  void the_first_kinds_are_listed() {
    int shard = nextShard();
    List<NewTaskRow> rows =
        IntStream.range(0, BatchSummary.MAX_KINDS + 5)
            .mapToObj(i -> row(ids.next(shard), "k%02d".formatted(30 - i), null))
            .toList();

    assertThat(summary(submitBatch(BatchDefinition.NONE, rows)).kinds())
        .isEqualTo(
            IntStream.range(6, 6 + BatchSummary.MAX_KINDS).mapToObj("k%02d"::formatted).toList());
  }

  @Test
  void a_batch_is_marked_as_stopped_once() {
    UUID batch = batchOf(submit(unique()));
    Instant stopped = clock.instant();

    assertThat(store.batches().markStopped(batch)).isTrue();
    clock.advance(HOUR);
    assertThat(store.batches().markStopped(batch)).isTrue();
    assertThat(summary(batch).stoppedAt()).isEqualTo(stopped);
  }

  @Test
  void a_purged_batch_is_gone() {
    UUID task = submit(unique());
    UUID batch = batchOf(task);
    store.batches().markStopped(batch);
    cancel(task);
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.maintenance().purge(AGE, LIMIT)).isEqualTo(1);

    assertThat(store.batches().find(batch)).isEmpty();
    assertThat(store.batches().definition(batch)).isEmpty();
    assertThat(store.batches().markStopped(batch)).isFalse();
  }

  @Test
  void the_dependencies_of_a_batch_are_ordered_by_child_and_parent() {
    List<UUID> tasks = graph("1>3 0~3 0>1 1>2");
    UUID outside = after(tasks.get(3));
    List<Dependency> all =
        List.of(
            new Dependency(tasks.get(0), tasks.get(1), true),
            new Dependency(tasks.get(1), tasks.get(2), true),
            new Dependency(tasks.get(0), tasks.get(3), false),
            new Dependency(tasks.get(1), tasks.get(3), true));

    assertThat(store.batches().dependencies(batchOf(tasks.get(0)), LIMIT)).isEqualTo(all);
    assertThat(store.batches().dependencies(batchOf(tasks.get(0)), 3)).isEqualTo(all.subList(0, 3));
    assertThat(store.batches().dependencies(batchOf(outside), LIMIT))
        .containsExactly(new Dependency(tasks.get(3), outside, true));
    fail(tasks.getFirst());
    propagate();
    assertThat(store.batches().dependencies(batchOf(tasks.get(0)), LIMIT)).isEqualTo(all);
  }
}
