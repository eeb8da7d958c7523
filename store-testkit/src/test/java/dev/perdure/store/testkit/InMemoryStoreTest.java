// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Behavior of the in-memory store that is not part of the store contract. */
class InMemoryStoreTest {

  private final FakeClock clock = new FakeClock();
  private final TestIds ids = new TestIds(clock);
  private final InMemoryStore store = new InMemoryStore(clock, 2);

  private static Submission submission(UUID batch, UUID task, DueTime dueTime) {
    return new Submission(
        batch, List.of(new NewTaskRow(task, TaskDefinition.of("a", "{}"), dueTime)));
  }

  private int claimed() {
    LeaseOwner owner = new LeaseOwner.RemoteOwner("w", Duration.ofSeconds(1));
    return store
        .claim(new ClaimRequest(owner, List.of(new QueueCapacity("a", 1)), 1, true))
        .leases()
        .size();
  }

  @Test
  void refuses_an_unknown_shard() {
    assertThatThrownBy(() -> store.submit(submission(ids.next(2), ids.next(2), DueTime.now())))
        .hasMessageContaining("is in shard 2, but the store has 2 shards");
    assertThatThrownBy(() -> store.submit(submission(ids.next(1), ids.next(0), DueTime.now())))
        .hasMessageContaining("is in shard 0, but its batch is in shard 1");
    assertThatThrownBy(() -> new InMemoryStore(clock, 0))
        .hasMessage("shards must be 1 to 4096, not 0");
  }

  @Test
  void setting_the_clock_back_makes_a_task_wait_again() {
    store.submit(submission(ids.next(0), ids.next(0), DueTime.in(Duration.ofSeconds(10))));
    UUID other = ids.next(0);
    store.submit(submission(ids.next(0), other, DueTime.now()));
    clock.advance(Duration.ofSeconds(10));
    assertThat(claimed()).isEqualTo(1);

    clock.set(FakeClock.START);
    assertThat(claimed()).isZero();
    clock.advance(Duration.ofSeconds(10));
    assertThat(claimed()).isEqualTo(1);
  }

  @Test
  void a_wake_up_reaches_every_open_store_on_the_same_tasks() {
    AtomicInteger first = new AtomicInteger();
    AtomicInteger second = new AtomicInteger();
    InMemoryStore other = store.reopen();
    TaskStore.Subscription subscription = store.listen(first::incrementAndGet);
    TaskStore.Subscription elsewhere = other.listen(second::incrementAndGet);

    store.wake();
    subscription.close();
    store.wake();
    other.close();
    store.wake();
    elsewhere.close();

    assertThat(first).hasValue(1);
    assertThat(second).hasValue(2);
  }
}
