// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.NodeRegistry.RegisteredNode;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.testing.FakeClock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Who is alive, and what is left behind by those who are not. */
abstract class NodeContract extends StoreContract {

  private static final Duration VALIDITY = Duration.ofSeconds(25);

  private final RegisteredNode other =
      new RegisteredNode(ids.next(0), "zweiter", List.of("a", "größe,b"));

  NodeContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private void join() {
    store.nodes().join(other, VALIDITY);
  }

  private ClaimResult claimForOther() {
    return store.claim(
        new ClaimRequest(new LeaseOwner.NodeOwner(other.id()), rooms(10, "a"), 10, true));
  }

  private List<UUID> orphans() {
    return store.maintenance().orphans(100).tasks().stream().map(Task::id).toList();
  }

  @Test
  void a_node_that_joined_is_alive_until_its_row_runs_out() {
    join();
    assertThat(store.nodes().alive())
        .extracting(RegisteredNode::id)
        .containsExactlyInAnyOrder(node, other.id());
    assertThat(store.nodes().alive()).contains(other);

    clock.advance(VALIDITY.minusMillis(1));
    assertThat(store.nodes().alive()).contains(other);
    clock.advance(MILLI);
    assertThat(store.nodes().alive()).extracting(RegisteredNode::id).containsExactly(node);
  }

  @Test
  void joining_again_changes_nothing() {
    join();
    clock.advance(Duration.ofSeconds(20));
    join();
    clock.advance(Duration.ofSeconds(5));

    assertThat(store.nodes().renew(other.id(), VALIDITY)).isEmpty();
    join();
    assertThat(store.nodes().renew(other.id(), VALIDITY)).isEmpty();
    assertThat(claimForOther().leases()).isEmpty();
  }

  @Test
  void renewal_keeps_it_alive_and_tells_what_it_holds() {
    join();
    submit(TestTask.withoutRetry("b"));
    running("b");
    assertThat(store.nodes().renew(other.id(), VALIDITY)).contains(List.of());
    for (int i = 0; i < 10; i++) {
      submit(TestTask.withoutRetry("a"));
    }
    List<LeaseKey> held =
        claimForOther().leases().stream().map(lease -> lease.task().lease()).toList();
    assertThat(held).hasSize(10);

    clock.advance(VALIDITY.minusMillis(1));
    assertThat(store.nodes().renew(other.id(), VALIDITY).orElseThrow())
        .containsExactlyInAnyOrderElementsOf(held);
    settle(find(held.getFirst().task()), SUCCEEDED);
    clock.advance(VALIDITY.minusMillis(1));
    assertThat(store.nodes().renew(other.id(), VALIDITY).orElseThrow())
        .containsExactlyInAnyOrderElementsOf(held.subList(1, held.size()));
  }

  @Test
  void a_node_that_lapsed_is_refused_for_ever() {
    join();
    clock.advance(VALIDITY);

    assertThat(store.nodes().renew(other.id(), VALIDITY)).isEmpty();
    assertThat(store.nodes().renew(other.id(), VALIDITY)).isEmpty();
    store.nodes().markExpiredDead(10);
    clock.set(FakeClock.START);
    assertThat(store.nodes().renew(other.id(), VALIDITY)).as("the clock was set back").isEmpty();
    assertThat(store.nodes().alive()).doesNotContain(other);
  }

  @Test
  void a_node_that_nobody_knows_is_refused() {
    assertThat(store.nodes().renew(ids.next(0), VALIDITY)).isEmpty();
  }

  @Test
  void only_a_node_whose_row_is_alive_gets_work() {
    submit(TestTask.withoutRetry("a"));
    assertThat(claimForOther().leases()).as("never joined").isEmpty();
    join();
    clock.advance(VALIDITY);
    assertThat(claimForOther().leases()).as("lapsed").isEmpty();
    store.nodes().markExpiredDead(10);
    assertThat(claimForOther().leases()).as("dead").isEmpty();
    store.nodes().leave(other.id());
    assertThat(claimForOther().leases()).as("left").isEmpty();
    assertThat(claim(10, "a").leases()).as("the living one").hasSize(1);
  }

  @Test
  void what_a_lapsed_node_held_can_still_be_told() {
    join();
    submit(TestTask.withoutRetry("a"));
    List<LeaseKey> taken =
        claimForOther().leases().stream().map(lease -> lease.task().lease()).toList();

    clock.advance(VALIDITY);
    store.nodes().markExpiredDead(10);

    assertThat(store.nodes().leasesOf(other.id())).hasSize(1).isEqualTo(taken);
    assertThat(store.nodes().leasesOf(ids.next(0))).isEmpty();
  }

  @Test
  void the_lapsed_are_buried_once_and_in_bounds() {
    for (int i = 0; i < 5; i++) {
      store.nodes().join(new RegisteredNode(ids.next(0), "n" + i, List.of()), VALIDITY);
    }
    assertThat(store.nodes().markExpiredDead(10)).isEmpty();
    clock.advance(VALIDITY);

    List<UUID> first = store.nodes().markExpiredDead(3);
    List<UUID> second = store.nodes().markExpiredDead(3);
    assertThat(first).hasSize(3);
    assertThat(second).hasSize(2).doesNotContainAnyElementsOf(first).doesNotContain(node);
    assertThat(store.nodes().markExpiredDead(3)).isEmpty();
  }

  @Test
  void what_a_node_held_is_an_orphan_only_when_it_is_dead() {
    join();
    UUID id = submit(TestTask.withoutRetry("a"));
    claimForOther();
    assertThat(orphans()).isEmpty();

    clock.advance(VALIDITY);
    assertThat(orphans()).as("lapsed, not yet dead").isEmpty();
    store.nodes().markExpiredDead(10);
    assertThat(orphans()).containsExactly(id);

    write(lifecycle.workerLost(find(id)));
    assertThat(orphans()).isEmpty();
  }

  @Test
  void what_a_node_left_behind_is_an_orphan() {
    join();
    UUID id = submit(TestTask.withoutRetry("a"));
    claimForOther();
    store.nodes().leave(other.id());

    assertThat(orphans()).containsExactly(id);
    assertThat(store.maintenance().orphans(100).tasks()).containsExactly(find(id));
    assertThat(store.maintenance().orphans(100).now()).isEqualTo(clock.instant());
  }

  @Test
  void orphans_come_in_bounds() {
    join();
    for (int i = 0; i < 10; i++) {
      submit(TestTask.withoutRetry("a"));
    }
    claimForOther();
    store.nodes().leave(other.id());

    assertThat(store.maintenance().orphans(4).tasks()).hasSize(4);
    assertThat(store.maintenance().orphans(100).tasks()).hasSize(10);
  }

  @Test
  void a_worker_heard_of_between_the_sweep_and_the_write_keeps_its_lease() {
    submit(TestTask.withoutRetry("a"));
    LeaseOwner worker = new LeaseOwner.RemoteOwner("arbeiter-1", Duration.ofSeconds(60));
    Task task =
        store.claim(new ClaimRequest(worker, rooms(1, "a"), 1, true)).leases().getFirst().task();
    clock.advance(Duration.ofSeconds(60));
    Task found = store.maintenance().orphans(10).tasks().getFirst();

    store.heartbeat(List.of(new Heartbeat(task.lease(), null, null, Duration.ofSeconds(30))));

    assertThat(store.apply(List.of(lifecycle.workerLost(found))).getFirst().applied()).isFalse();
    assertThat(find(task.id()).state()).isEqualTo(TaskState.RUNNING);
    clock.advance(Duration.ofSeconds(30));
    assertThat(store.apply(List.of(lifecycle.workerLost(found))).getFirst().applied()).isTrue();
  }

  @Test
  void a_remote_workers_lease_runs_out_unless_it_is_heard_of() {
    UUID id = submit(TestTask.withoutRetry("a"));
    LeaseOwner worker = new LeaseOwner.RemoteOwner("arbeiter-1", Duration.ofSeconds(60));
    Task task =
        store.claim(new ClaimRequest(worker, rooms(1, "a"), 1, true)).leases().getFirst().task();
    assertThat(task.worker()).isEqualTo("arbeiter-1");

    clock.advance(Duration.ofMillis(59_999));
    assertThat(orphans()).isEmpty();
    store.heartbeat(List.of(new Heartbeat(task.lease(), null, null, Duration.ofSeconds(30))));
    clock.advance(Duration.ofMillis(29_999));
    assertThat(orphans()).isEmpty();
    clock.advance(MILLI);
    assertThat(orphans()).containsExactly(id);
    assertThat(write(lifecycle.workerLost(task)).retryCounters().losses()).isEqualTo(1);
  }
}
