// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.NodeRegistry.RegisteredNode;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Tasks outlive the process that wrote them. */
abstract class ReopenContract extends StoreContract {

  ReopenContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Test
  void a_retry_due_in_two_weeks_survives_a_restart_and_runs_on_another_node() {
    UUID id =
        submit(
            TestTask.withoutRetry("a")
                .withPolicy(
                    """
                    {"backoff": {"type": "fixed", "delay": "2w"}, "jitter": "none"}"""));
    settle(running("a"), FAILED);
    Snapshot before = snapshot(id);
    store.close();

    try (TaskStore again = fixture.reopen()) {
      assertThat(again.shards()).isEqualTo(shards);
      assertThat(
              new Snapshot(again.reader().find(id).orElseThrow(), again.reader().attempts(id, 10)))
          .isEqualTo(before);
      UUID other = ids.next(0);
      again.nodes().join(new RegisteredNode(other, "second", List.of("a")), FOR_EVER);
      ClaimRequest request =
          new ClaimRequest(new LeaseOwner.NodeOwner(other), capacities(1, "a"), 1, true);
      clock.advance(Duration.ofDays(14).minusMillis(1));
      assertThat(again.claim(request).leases()).isEmpty();
      clock.advance(MILLI);
      Task retry = again.claim(request).leases().getFirst().task();
      assertThat(retry.id()).isEqualTo(id);
      assertThat(retry.retryCounters().attempt()).isEqualTo(1);
      assertThat(retry.epoch()).isEqualTo(2);
    }
  }

  /** A wake-up can be lost, so the test sends several. */
  @Test
  void a_wake_up_reaches_the_listeners() throws Exception {
    CountDownLatch woken = new CountDownLatch(1);
    try (TaskStore.Subscription subscription = store.listen(woken::countDown)) {
      assertThat(subscription).isNotNull();
      boolean notified = false;
      for (int i = 0; i < 100 && !notified; i++) {
        store.wake();
        notified = woken.await(100, TimeUnit.MILLISECONDS);
      }
      assertThat(notified).isTrue();
    }
  }

  @Test
  void two_processes_see_each_others_writes() {
    if (!fixture.shared()) {
      // The restart test covers a store that only one process can open.
      return;
    }
    try (TaskStore other = fixture.reopen()) {
      UUID id = submit(TestTask.withoutRetry("a"));
      assertThat(other.reader().find(id)).contains(find(id));
      ClaimRequest request =
          new ClaimRequest(new LeaseOwner.NodeOwner(node), capacities(1, "a"), 1, true);
      Task task = other.claim(request).leases().getFirst().task();
      assertThat(claim(1, "a").leases()).isEmpty();
      assertThat(settle(task, SUCCEEDED).id()).isEqualTo(id);
      assertThat(other.reader().find(id)).contains(find(id));
    }
  }
}
