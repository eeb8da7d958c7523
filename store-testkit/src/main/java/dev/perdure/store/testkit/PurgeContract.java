// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.task.Due;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Retention deletes whole batches that ended long ago. */
abstract class PurgeContract extends StoreContract {

  private static final Duration AGE = Duration.ofDays(30);

  PurgeContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private List<UUID> ended(int tasks) {
    List<UUID> batch = submit(0, Collections.nCopies(tasks, Given.plain("a")), Due.now());
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
    UUID old = submit(Given.plain("a"));
    settle(running("a"), FAILED);
    clock.advance(AGE.minusMillis(1));
    assertThat(store.sweeps().purge(AGE, 100)).isZero();
    assertThat(attempts(old)).hasSize(1);

    clock.advance(Duration.ofMillis(2));
    assertThat(store.sweeps().purge(AGE, 100)).isEqualTo(1);
    assertThat(isThere(old)).isFalse();
    assertThat(attempts(old)).isEmpty();
    assertThat(all()).isZero();
    assertThat(store.reader().statistics().byState()).isEmpty();
  }

  @Test
  void a_batch_stays_while_one_of_its_tasks_lives() {
    List<UUID> batch = submitAll(Given.plain("a"), Given.plain("b"), Given.plain("c"));
    settle(running("a"), SUCCEEDED);
    settle(running("b"), FAILED);
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.sweeps().purge(AGE, 100)).isZero();

    write(lifecycle.cancel(find(batch.get(2))));
    assertThat(store.sweeps().purge(AGE, 100)).as("the last one ended just now").isZero();
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.sweeps().purge(AGE, 100)).isEqualTo(3);
  }

  @Test
  void a_batch_of_which_a_task_was_revived_stays() {
    List<UUID> batch = submitAll(Given.plain("a"), Given.plain("b"));
    settle(running("a"), FAILED);
    settle(running("b"), FAILED);
    clock.advance(AGE.plusSeconds(1));
    write(lifecycle.revive(find(batch.getFirst())));

    assertThat(store.sweeps().purge(AGE, 100)).isZero();
    assertThat(isThere(batch.get(1))).isTrue();
  }

  @Test
  void the_oldest_batches_go_first_and_only_so_many_tasks() {
    List<UUID> first = ended(3);
    List<UUID> second = ended(3);
    List<UUID> third = ended(3);
    clock.advance(AGE);

    assertThat(store.sweeps().purge(AGE, 7)).isEqualTo(6);
    assertThat(first).noneMatch(this::isThere);
    assertThat(second).noneMatch(this::isThere);
    assertThat(third).allMatch(this::isThere);
    assertThat(store.sweeps().purge(AGE, 7)).isEqualTo(3);
    assertThat(store.sweeps().purge(AGE, 7)).isZero();
  }

  @Test
  void a_batch_larger_than_the_limit_goes_alone() {
    ended(5);
    ended(1);
    clock.advance(AGE);

    assertThat(store.sweeps().purge(AGE, 2)).isEqualTo(5);
    assertThat(all()).isEqualTo(1);
  }

  @Test
  void batches_of_all_shards_are_purged() {
    for (int i = 0; i < 2 * shards; i++) {
      submit(Given.plain("a"));
      settle(running("a"), SUCCEEDED);
    }
    clock.advance(AGE.plusSeconds(1));
    int deleted = 0;
    for (int i = 0; i < 2 * shards; i++) {
      deleted += store.sweeps().purge(AGE, 100);
    }
    assertThat(deleted).isEqualTo(2 * shards);
    assertThat(all()).isZero();
  }
}
