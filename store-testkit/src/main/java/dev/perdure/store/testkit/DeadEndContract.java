// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.DependencyStore.Propagation;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DueTime;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tasks that are canceled when all tasks that depend on them have ended. */
abstract class DeadEndContract extends GraphContract {

  private static final int SMALL_LIMIT = 4;

  DeadEndContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** Submits this many tasks that are canceled at a dead end, and a task that depends on them. */
  private List<UUID> deadEnds(int parents) {
    int shard = 0;
    List<NewTaskRow> rows =
        IntStream.rangeClosed(0, parents).mapToObj(i -> row(ids.next(shard))).toList();
    UUID child = rows.getLast().id();
    List<Dependency> dependencies =
        rows.subList(0, parents).stream()
            .map(parent -> new Dependency(parent.id(), child, true))
            .toList();
    store.submit(new Submission(ids.next(shard), BatchDefinition.NONE, rows, dependencies, null));
    return rows.stream().map(NewTaskRow::id).toList();
  }

  private NewTaskRow row(UUID id) {
    return new NewTaskRow(id, unique().definition(), DueTime.now(), null, null, true);
  }

  @Test
  void none_is_lost_when_there_are_more_than_the_limit() {
    List<UUID> many = deadEnds(SMALL_LIMIT + 1);
    List<UUID> one = deadEnds(1);
    cancel(many.getLast());
    cancel(one.getLast());

    for (int rounds = 0; rounds < LIMIT; rounds++) {
      Propagation done = store.dependencies().propagate(SMALL_LIMIT);
      if (done.equals(Propagation.NONE)) {
        break;
      }
      done.deadEnds().forEach(this::cancel);
    }
    assertStates(many, "canceled canceled canceled canceled canceled canceled");
    assertStates(one, "canceled canceled");
    assertThat(propagateOnce()).isEqualTo(Propagation.NONE);
  }

  /** With the setting for all submissions, most tasks are like this. */
  @Test
  void a_task_without_dependencies_records_nothing() {
    UUID alone = deadEnds(0).getFirst();

    assertThat(apply(lifecycle.cancel(find(alone)))).isEqualTo(WriteResult.written());
    assertThat(propagateOnce()).isEqualTo(Propagation.NONE);
  }
}
