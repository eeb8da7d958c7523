// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Due;
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
    List<UUID> batch = submit(0, Collections.nCopies(tasks, TestTask.withoutRetry("a")), Due.now());
    for (int i = 0; i < tasks; i++) {
      settle(running("a"), SUCCEEDED);
    }
    clock.advance(Duration.ofSeconds(1));
    return batch;
  }

  private boolean isThere(UUID id) {
    return store.reader().find(id).isPresent();
  }

  private long all() {
    return store.reader().count(TaskFilter.all(), 1_000);
  }

  @Test
  void what_ended_long_ago_is_deleted_with_its_attempts() {
    UUID old = submit(TestTask.withoutRetry("a"));
    settle(running("a"), FAILED);
    clock.advance(AGE.minusMillis(1));
    assertThat(store.maintenance().purge(AGE, 100)).isZero();
    assertThat(attempts(old)).hasSize(1);

    clock.advance(Duration.ofMillis(2));
    assertThat(store.maintenance().purge(AGE, 100)).isEqualTo(1);
    assertThat(isThere(old)).isFalse();
    assertThat(attempts(old)).isEmpty();
    assertThat(all()).isZero();
    assertThat(store.reader().statistics().byState()).isEmpty();
  }

  @Test
  void a_batch_stays_while_one_of_its_tasks_lives() {
    List<UUID> batch =
        submitAll(
            TestTask.withoutRetry("a"), TestTask.withoutRetry("b"), TestTask.withoutRetry("c"));
    settle(running("a"), SUCCEEDED);
    settle(running("b"), FAILED);
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.maintenance().purge(AGE, 100)).isZero();

    write(lifecycle.cancel(find(batch.get(2))));
    assertThat(store.maintenance().purge(AGE, 100)).as("the last one ended just now").isZero();
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.maintenance().purge(AGE, 100)).isEqualTo(3);
  }

  @Test
  void a_batch_of_which_a_task_was_revived_stays() {
    List<UUID> batch = submitAll(TestTask.withoutRetry("a"), TestTask.withoutRetry("b"));
    settle(running("a"), FAILED);
    settle(running("b"), FAILED);
    clock.advance(AGE.plusSeconds(1));
    write(lifecycle.revive(find(batch.getFirst())));

    assertThat(store.maintenance().purge(AGE, 100)).isZero();
    assertThat(isThere(batch.get(1))).isTrue();
  }

  @Test
  void the_oldest_batches_go_first_and_only_so_many_tasks() {
    List<UUID> first = ended(3);
    List<UUID> second = ended(3);
    List<UUID> third = ended(3);
    clock.advance(AGE);

    assertThat(store.maintenance().purge(AGE, 7)).isEqualTo(6);
    assertThat(first).noneMatch(this::isThere);
    assertThat(second).noneMatch(this::isThere);
    assertThat(third).allMatch(this::isThere);
    assertThat(store.maintenance().purge(AGE, 7)).isEqualTo(3);
    assertThat(store.maintenance().purge(AGE, 7)).isZero();
  }

  @Test
  void a_batch_larger_than_the_limit_goes_alone_and_in_pieces() {
    ended(5);
    UUID other = ended(1).getFirst();
    clock.advance(AGE);

    assertThat(store.maintenance().purge(AGE, 2)).isEqualTo(2);
    assertThat(store.maintenance().purge(AGE, 2)).isEqualTo(2);
    assertThat(store.maintenance().purge(AGE, 2)).isEqualTo(1);
    assertThat(isThere(other)).isTrue();
    assertThat(store.maintenance().purge(AGE, 2)).isEqualTo(1);
    assertThat(all()).isZero();
  }

  @Test
  void a_batch_as_large_as_the_limit_goes_at_once() {
    ended(2);
    ended(2);
    clock.advance(AGE);

    assertThat(store.maintenance().purge(AGE, 2)).isEqualTo(2);
    assertThat(store.maintenance().purge(AGE, 2)).isEqualTo(2);
    assertThat(store.maintenance().purge(AGE, 2)).isZero();
  }

  @Test
  void what_is_left_of_a_batch_is_not_revived_and_goes_whoever_asks() {
    List<UUID> batch = submit(0, Collections.nCopies(5, TestTask.withoutRetry("a")), Due.now());
    batch.forEach(id -> write(lifecycle.cancel(find(id))));
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.maintenance().purge(AGE, 2)).isEqualTo(2);

    UUID left = batch.stream().filter(this::isThere).findAny().orElseThrow();
    Snapshot before = snapshot(left);
    UUID bystander = submit(TestTask.withoutRetry("b"));
    List<TaskChange> taskChanges =
        List.of(lifecycle.pause(find(bystander)), lifecycle.revive(before.task()));
    assertThatThrownBy(() -> store.apply(taskChanges))
        .asInstanceOf(type(StoreException.class))
        .extracting(StoreException::kind)
        .isEqualTo(StoreException.ErrorKind.REFUSED);
    assertThat(snapshot(left)).isEqualTo(before);
    assertThat(find(bystander).paused()).as("all or none").isFalse();

    try (TaskStore another = fixture.reopen()) {
      assertThat(another.maintenance().purge(AGE.multipliedBy(2), 2)).isEqualTo(2);
      assertThat(another.maintenance().purge(AGE.multipliedBy(2), 2)).isEqualTo(1);
    }
    assertThat(batch).noneMatch(this::isThere);
  }

  @Test
  void a_batch_that_was_looked_at_in_vain_goes_when_its_time_has_come() {
    List<UUID> batch = submitAll(TestTask.withoutRetry("a"), TestTask.withoutRetry("b"));
    settle(running("a"), FAILED);
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.maintenance().purge(AGE, 100)).as("b lives").isZero();
    settle(running("b"), FAILED);
    clock.advance(AGE.plus(MILLI));
    write(lifecycle.revive(find(batch.getFirst())));
    assertThat(store.maintenance().purge(AGE, 100)).as("a lives again").isZero();

    settle(running("a"), SUCCEEDED);
    clock.advance(AGE);
    assertThat(store.maintenance().purge(AGE, 100)).as("to the millisecond").isZero();
    clock.advance(MILLI);
    assertThat(store.maintenance().purge(AGE, 100)).isEqualTo(2);
  }

  @Test
  void what_is_submitted_once_more_while_its_batch_goes_does_not_run_again() {
    List<NewTaskRow> rows =
        Stream.generate(
                () ->
                    new NewTaskRow(ids.next(0), TestTask.withoutRetry("a").definition(), Due.now()))
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
  void batches_of_all_shards_are_purged() {
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
