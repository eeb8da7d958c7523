// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.AttemptRow;
import dev.perdure.engine.query.TaskRelations;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Paging through the attempts of a task, and counting what belongs to it. */
abstract class AttemptPageContract extends StoreContract {

  private static final long NEWEST = Long.MAX_VALUE;

  AttemptPageContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** A task whose attempts have failed, every other one with a stack trace. */
  private UUID failed(int attempts) {
    UUID id = submit(TestTask.retrying("a"));
    for (int i = 0; i < attempts; i++) {
      Task task = running("a");
      settle(task, new Outcome.Failed(Failure.explicit("no"), stack(i)));
      clock.advance(Duration.ofDays(1));
    }
    return id;
  }

  private static @Nullable String stack(int attempt) {
    return attempt % 2 == 0 ? "at " + attempt : null;
  }

  private List<Long> epochs(UUID id, long before, int limit) {
    return store.reader().attemptRows(id, before, limit).stream()
        .map(row -> row.attempt().epoch())
        .toList();
  }

  @Test
  void attempts_are_paged_from_the_newest_to_the_oldest() {
    UUID id = failed(3);
    UUID other = failed(1);

    assertThat(epochs(id, NEWEST, 2)).containsExactly(3L, 2L);
    assertThat(epochs(id, 2, 2)).containsExactly(1L);
    assertThat(epochs(id, 1, 2)).isEmpty();
    assertThat(epochs(other, NEWEST, 2)).containsExactly(1L);
    assertThat(epochs(ids.next(0), NEWEST, 2)).isEmpty();
  }

  @Test
  void a_row_says_whether_there_is_a_stack_and_one_attempt_has_it() {
    UUID id = failed(2);

    List<AttemptRow> rows = store.reader().attemptRows(id, NEWEST, 9);
    assertThat(rows).extracting(AttemptRow::hasStack).containsExactly(false, true);
    assertThat(rows).extracting(row -> row.attempt().details().stack()).containsOnlyNulls();
    List<Attempt> whole = attempts(id);
    assertThat(rows.reversed()).isEqualTo(whole.stream().map(AttemptRow::of).toList());
    assertThat(store.reader().attempt(id, 1)).contains(whole.getFirst());
    assertThat(whole.getFirst().details().stack()).isEqualTo("at 0");
    assertThat(store.reader().attempt(id, 3)).isEmpty();
    assertThat(store.reader().attempt(ids.next(0), 1)).isEmpty();
  }

  @Test
  void what_belongs_to_a_task_is_counted() {
    List<UUID> tasks =
        submitGraph(
            List.of(
                TestTask.retrying("b"),
                TestTask.retrying("b"),
                TestTask.retrying("b"),
                TestTask.retrying("b")),
            "0>1 0>2 1>3 2~3");
    UUID id = failed(2);

    assertThat(store.reader().relations(id)).isEqualTo(new TaskRelations(2, 0, 0, null));
    assertThat(store.reader().relations(tasks.get(0))).isEqualTo(new TaskRelations(0, 0, 2, null));
    assertThat(store.reader().relations(tasks.get(3))).isEqualTo(new TaskRelations(0, 2, 0, null));
    assertThat(store.reader().relations(ids.next(0))).isEqualTo(TaskRelations.NONE);
  }
}
