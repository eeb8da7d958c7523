// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.ClaimRequest.Room;
import dev.perdure.engine.store.Holder;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Submission.NewRow;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Definition;
import dev.perdure.engine.task.Due;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the model does beside the contract. */
class ModelStoreTest {

  private final FakeClock clock = new FakeClock();
  private final Ids ids = new Ids(clock);
  private final ModelStore store = new ModelStore(clock, 2);

  private static Submission submission(UUID batch, UUID task, Due due) {
    return new Submission(batch, List.of(new NewRow(task, Definition.of("a", "{}"), due)));
  }

  private int claimed() {
    Holder holder = new Holder.OfWorker("w", Duration.ofSeconds(1));
    return store
        .claim(new ClaimRequest(holder, List.of(new Room("a", 1)), 1, true))
        .leases()
        .size();
  }

  @Test
  void refuses_a_shard_that_it_does_not_have() {
    assertThatThrownBy(() -> store.submit(submission(ids.next(2), ids.next(2), Due.now())))
        .hasMessageContaining("is of shard 2, the store has 2");
    assertThatThrownBy(() -> store.submit(submission(ids.next(1), ids.next(0), Due.now())))
        .hasMessageContaining("is of shard 0, its batch of 1");
    assertThatThrownBy(() -> new ModelStore(clock, 0))
        .hasMessage("a store has 1 to 4096 shards, not 0");
  }

  @Test
  void a_clock_that_was_set_back_makes_a_task_wait_again() {
    store.submit(submission(ids.next(0), ids.next(0), Due.in(Duration.ofSeconds(10))));
    UUID other = ids.next(0);
    store.submit(submission(ids.next(0), other, Due.now()));
    clock.advance(Duration.ofSeconds(10));
    assertThat(claimed()).isEqualTo(1);

    clock.set(FakeClock.START);
    assertThat(claimed()).isZero();
    clock.advance(Duration.ofSeconds(10));
    assertThat(claimed()).isEqualTo(1);
  }

  @Test
  void a_hint_reaches_every_store_on_the_same_tasks_until_it_is_closed() {
    AtomicInteger first = new AtomicInteger();
    AtomicInteger second = new AtomicInteger();
    ModelStore other = store.reopen();
    TaskStore.Listening listening = store.listen(first::incrementAndGet);
    TaskStore.Listening elsewhere = other.listen(second::incrementAndGet);

    store.wake();
    listening.close();
    store.wake();
    other.close();
    store.wake();
    elsewhere.close();

    assertThat(first).hasValue(1);
    assertThat(second).hasValue(2);
  }
}
