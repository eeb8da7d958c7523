// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.perdure.engine.Engine;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.IllegalTransitionException;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.TaskChange;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Retention deletes whole batches that ended long ago. */
abstract class RetentionContract extends StoreContract {

  private static final Duration AGE = Duration.ofDays(30);

  RetentionContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private List<UUID> ended(int tasks) {
    List<UUID> batch =
        submit(0, Collections.nCopies(tasks, TestTask.withoutRetry("a")), DueTime.now());
    for (int i = 0; i < tasks; i++) {
      settle(running("a"), SUCCEEDED);
    }
    clock.advance(Duration.ofSeconds(1));
    return batch;
  }

  private boolean exists(UUID id) {
    return store.reader().find(id).isPresent();
  }

  private long all() {
    return store.reader().count(TaskFilter.all(), 1_000);
  }

  @Test
  void an_expired_task_is_deleted_with_its_attempts() {
    UUID expired = submit(TestTask.withoutRetry("a"));
    settle(running("a"), FAILED);
    clock.advance(AGE.minusMillis(1));
    assertThat(store.maintenance().purge(AGE, 100)).isZero();
    assertThat(attempts(expired)).hasSize(1);

    clock.advance(Duration.ofMillis(2));
    assertThat(store.maintenance().purge(AGE, 100)).isEqualTo(1);
    assertThat(exists(expired)).isFalse();
    assertThat(attempts(expired)).isEmpty();
    assertThat(all()).isZero();
    assertThat(store.reader().statistics().byState()).isEmpty();
  }

  @Test
  void a_batch_is_kept_while_one_of_its_tasks_is_live() {
    List<UUID> batch =
        submitAll(
            TestTask.withoutRetry("a"), TestTask.withoutRetry("b"), TestTask.withoutRetry("c"));
    settle(running("a"), SUCCEEDED);
    settle(running("b"), FAILED);
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.maintenance().purge(AGE, 100)).isZero();

    write(lifecycle.cancel(find(batch.get(2))));
    assertThat(store.maintenance().purge(AGE, 100)).as("the last task ended just now").isZero();
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.maintenance().purge(AGE, 100)).isEqualTo(3);
  }

  @Test
  void a_batch_with_a_revived_task_is_kept() {
    List<UUID> batch = submitAll(TestTask.withoutRetry("a"), TestTask.withoutRetry("b"));
    settle(running("a"), FAILED);
    settle(running("b"), FAILED);
    clock.advance(AGE.plusSeconds(1));
    write(lifecycle.revive(find(batch.getFirst())));

    assertThat(store.maintenance().purge(AGE, 100)).isZero();
    assertThat(exists(batch.get(1))).isTrue();
  }

  @Test
  void the_oldest_batches_are_deleted_first_up_to_the_limit() {
    List<UUID> first = ended(3);
    List<UUID> second = ended(3);
    List<UUID> third = ended(3);
    clock.advance(AGE);

    assertThat(store.maintenance().purge(AGE, 7)).isEqualTo(6);
    assertThat(first).noneMatch(this::exists);
    assertThat(second).noneMatch(this::exists);
    assertThat(third).allMatch(this::exists);
    assertThat(store.maintenance().purge(AGE, 7)).isEqualTo(3);
    assertThat(store.maintenance().purge(AGE, 7)).isZero();
  }

  @Test
  void a_batch_larger_than_the_limit_is_deleted_in_pieces() {
    ended(5);
    UUID other = ended(1).getFirst();
    clock.advance(AGE);

    assertThat(store.maintenance().purge(AGE, 2)).isEqualTo(2);
    assertThat(store.maintenance().purge(AGE, 2)).isEqualTo(2);
    assertThat(store.maintenance().purge(AGE, 2)).isEqualTo(1);
    assertThat(exists(other)).isTrue();
    assertThat(store.maintenance().purge(AGE, 2)).isEqualTo(1);
    assertThat(all()).isZero();
  }

  @Test
  void a_batch_as_large_as_the_limit_is_deleted_in_one_call() {
    ended(2);
    ended(2);
    clock.advance(AGE);

    assertThat(store.maintenance().purge(AGE, 2)).isEqualTo(2);
    assertThat(store.maintenance().purge(AGE, 2)).isEqualTo(2);
    assertThat(store.maintenance().purge(AGE, 2)).isZero();
  }

  @Test
  void a_batch_that_is_being_deleted_cannot_be_revived_and_any_process_can_finish_the_deletion() {
    List<UUID> batch = submit(0, Collections.nCopies(5, TestTask.withoutRetry("a")), DueTime.now());
    batch.forEach(id -> write(lifecycle.cancel(find(id))));
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.maintenance().purge(AGE, 2)).isEqualTo(2);

    UUID left = batch.stream().filter(this::exists).findAny().orElseThrow();
    Snapshot before = snapshot(left);
    UUID other = submit(TestTask.withoutRetry("b"));
    List<TaskChange> changes =
        List.of(lifecycle.pause(find(other)), lifecycle.revive(before.task()));
    assertThatThrownBy(() -> store.apply(changes))
        .asInstanceOf(type(StoreException.class))
        .extracting(StoreException::kind)
        .isEqualTo(StoreException.ErrorKind.REFUSED);
    assertThat(snapshot(left)).isEqualTo(before);
    assertThat(find(other).paused()).as("all or none").isFalse();

    try (TaskStore another = fixture.reopen()) {
      assertThat(another.maintenance().purge(AGE.multipliedBy(2), 2)).isEqualTo(2);
      assertThat(another.maintenance().purge(AGE.multipliedBy(2), 2)).isEqualTo(1);
    }
    assertThat(batch).noneMatch(this::exists);
  }

  @Test
  void an_operator_is_told_that_a_task_is_being_deleted() {
    List<UUID> batch = submit(0, Collections.nCopies(3, TestTask.withoutRetry("a")), DueTime.now());
    batch.forEach(id -> write(lifecycle.cancel(find(id))));
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.maintenance().purge(AGE, 1)).isEqualTo(1);
    UUID left = batch.stream().filter(this::exists).findAny().orElseThrow();

    try (Engine engine = Engine.on(store)) {
      assertThatThrownBy(() -> engine.revive(left))
          .isInstanceOf(IllegalTransitionException.class)
          .hasMessageContaining("its batch is being deleted");
    }
  }

  @Test
  void a_batch_that_was_still_active_is_deleted_later() {
    List<UUID> batch = submitAll(TestTask.withoutRetry("a"), TestTask.withoutRetry("b"));
    settle(running("a"), FAILED);
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.maintenance().purge(AGE, 100)).as("b has not ended").isZero();
    settle(running("b"), FAILED);
    clock.advance(AGE.plus(MILLI));
    write(lifecycle.revive(find(batch.getFirst())));
    assertThat(store.maintenance().purge(AGE, 100)).as("a was revived").isZero();

    settle(running("a"), SUCCEEDED);
    clock.advance(AGE);
    assertThat(store.maintenance().purge(AGE, 100)).as("to the millisecond").isZero();
    clock.advance(MILLI);
    assertThat(store.maintenance().purge(AGE, 100)).isEqualTo(2);
  }

  @Test
  void resubmitting_a_batch_during_its_deletion_does_not_run_it_again() {
    List<NewTaskRow> rows =
        Stream.generate(
                () ->
                    new NewTaskRow(
                        ids.next(0), TestTask.withoutRetry("a").definition(), DueTime.now()))
            .limit(5)
            .toList();
    Submission submission = new Submission(ids.next(0), rows);
    store.submit(submission);
    rows.forEach(row -> write(lifecycle.cancel(find(row.id()))));
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.maintenance().purge(AGE, 2)).isEqualTo(2);

    store.submit(submission);
    int deleted = 0;
    for (int i = 0; i < 10; i++) {
      deleted += store.maintenance().purge(AGE, 2);
    }
    assertThat(deleted).isEqualTo(3);
    assertThat(claim(10, "a").leases()).isEmpty();
  }

  @Test
  void batches_of_all_shards_are_deleted() {
    for (int i = 0; i < 2 * shards; i++) {
      submit(TestTask.withoutRetry("a"));
      settle(running("a"), SUCCEEDED);
    }
    clock.advance(AGE.plusSeconds(1));
    int deleted = 0;
    for (int i = 0; i < 2 * shards; i++) {
      deleted += store.maintenance().purge(AGE, 100);
    }
    assertThat(deleted).isEqualTo(2 * shards);
    assertThat(all()).isZero();
  }
}
