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
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the model does beside the contract. */
class InMemoryStoreTest {

  private final FakeClock clock = new FakeClock();
  private final TestIds testIds = new TestIds(clock);
  private final InMemoryStore store = new InMemoryStore(clock, 2);

  private static Submission submission(UUID batch, UUID task, Due due) {
    return new Submission(batch, List.of(new NewTaskRow(task, TaskDefinition.of("a", "{}"), due)));
  }

  private int claimed() {
    LeaseOwner leaseOwner = new LeaseOwner.RemoteOwner("w", Duration.ofSeconds(1));
    return store
        .claim(new ClaimRequest(leaseOwner, List.of(new QueueCapacity("a", 1)), 1, true))
        .leases()
        .size();
  }

  @Test
  void refuses_a_shard_that_it_does_not_have() {
    assertThatThrownBy(() -> store.submit(submission(testIds.next(2), testIds.next(2), Due.now())))
        .hasMessageContaining("is in shard 2, but the store has 2 shards");
    assertThatThrownBy(() -> store.submit(submission(testIds.next(1), testIds.next(0), Due.now())))
        .hasMessageContaining("is in shard 0, but its batch is in shard 1");
    assertThatThrownBy(() -> new InMemoryStore(clock, 0))
        .hasMessage("shards must be 1 to 4096, not 0");
  }

  @Test
  void a_clock_that_was_set_back_makes_a_task_wait_again() {
    store.submit(submission(testIds.next(0), testIds.next(0), Due.in(Duration.ofSeconds(10))));
    UUID other = testIds.next(0);
    store.submit(submission(testIds.next(0), other, Due.now()));
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
