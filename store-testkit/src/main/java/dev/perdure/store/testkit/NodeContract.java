// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.NodeRegistry.RegisteredNode;
import dev.perdure.engine.spi.OverviewStore;
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

/** Which nodes are alive, and what happens to the tasks of dead ones. */
abstract class NodeContract extends StoreContract {

  private static final Duration VALIDITY = Duration.ofSeconds(25);

  private final RegisteredNode other =
      new RegisteredNode(ids.next(0), "second", List.of("a", "größe,b"));

  NodeContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private void join() {
    store.nodes().join(other, VALIDITY);
  }

  private ClaimResult claimForOther() {
    return store.claim(
        new ClaimRequest(new LeaseOwner.NodeOwner(other.id()), capacities(10, "a"), 10, true));
  }

  private List<UUID> orphans() {
    return store.maintenance().orphans(100).tasks().stream().map(Task::id).toList();
  }

  @Test
  void a_node_is_alive_until_its_row_expires() {
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
  void a_renewal_keeps_the_node_alive_and_returns_its_leases() {
    join();
    submit(TestTask.withoutRetry("b"));
    running("b");
    assertThat(store.nodes().renew(other.id(), VALIDITY)).contains(List.of());
    for (int i = 0; i < 10; i++) {
      submit(TestTask.withoutRetry("a"));
    }
    List<LeaseKey> leases =
        claimForOther().leases().stream().map(lease -> lease.task().lease()).toList();
    assertThat(leases).hasSize(10);

    clock.advance(VALIDITY.minusMillis(1));
    assertThat(store.nodes().renew(other.id(), VALIDITY).orElseThrow())
        .containsExactlyInAnyOrderElementsOf(leases);
    settle(find(leases.getFirst().task()), SUCCEEDED);
    clock.advance(VALIDITY.minusMillis(1));
    assertThat(store.nodes().renew(other.id(), VALIDITY).orElseThrow())
        .containsExactlyInAnyOrderElementsOf(leases.subList(1, leases.size()));
  }

  @Test
  void an_expired_node_can_never_renew() {
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
  void a_dead_node_keeps_its_name_and_others_have_none() {
    join();
    clock.advance(VALIDITY);
    store.nodes().markExpiredDead(10);

    assertThat(store.nodes().nameOf(other.id().toString())).contains(other.name());
    assertThat(store.nodes().nameOf(ids.next(0).toString())).isEmpty();
    assertThat(store.nodes().nameOf("worker-1")).isEmpty();
  }

  @Test
  void an_unknown_node_cannot_renew() {
    assertThat(store.nodes().renew(ids.next(0), VALIDITY)).isEmpty();
  }

  @Test
  void only_a_living_node_can_claim() {
    submit(TestTask.withoutRetry("a"));
    assertThat(claimForOther().leases()).as("never joined").isEmpty();
    join();
    clock.advance(VALIDITY);
    assertThat(claimForOther().leases()).as("expired").isEmpty();
    store.nodes().markExpiredDead(10);
    assertThat(claimForOther().leases()).as("dead").isEmpty();
    store.nodes().leave(other.id());
    assertThat(claimForOther().leases()).as("left").isEmpty();
    assertThat(claim(10, "a").leases()).as("the living node").hasSize(1);
  }

  @Test
  void a_node_that_lives_is_listed_before_many_that_died_later() {
    join();
    for (int i = 0; i <= OverviewStore.MAX_NODES; i++) {
      store.nodes().join(new RegisteredNode(ids.next(0), "crashing", List.of()), VALIDITY);
    }
    clock.advance(VALIDITY.dividedBy(2));
    store.nodes().renew(other.id(), VALIDITY);
    clock.advance(VALIDITY.dividedBy(2));
    store.nodes().markExpiredDead(OverviewStore.MAX_NODES + 10);

    assertThat(store.overview().nodes()).anyMatch(node -> node.id().equals(other.id()));
  }

  @Test
  void the_leases_of_an_expired_node_can_be_listed() {
    join();
    submit(TestTask.withoutRetry("a"));
    List<LeaseKey> leases =
        claimForOther().leases().stream().map(lease -> lease.task().lease()).toList();

    clock.advance(VALIDITY);
    store.nodes().markExpiredDead(10);

    assertThat(store.nodes().leasesOf(other.id())).hasSize(1).isEqualTo(leases);
    assertThat(store.nodes().leasesOf(ids.next(0))).isEmpty();
  }

  @Test
  void expired_nodes_are_marked_dead_once_and_up_to_the_limit() {
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
  void tasks_of_a_node_are_orphans_only_after_it_is_marked_dead() {
    join();
    UUID id = submit(TestTask.withoutRetry("a"));
    claimForOther();
    assertThat(orphans()).isEmpty();

    clock.advance(VALIDITY);
    assertThat(orphans()).as("expired, not yet marked dead").isEmpty();
    store.nodes().markExpiredDead(10);
    assertThat(orphans()).containsExactly(id);

    write(lifecycle.workerLost(find(id)));
    assertThat(orphans()).isEmpty();
  }

  @Test
  void tasks_of_a_node_that_left_are_orphans() {
    join();
    UUID id = submit(TestTask.withoutRetry("a"));
    claimForOther();
    store.nodes().leave(other.id());

    assertThat(orphans()).containsExactly(id);
    assertThat(store.maintenance().orphans(100).tasks()).containsExactly(find(id));
    assertThat(store.maintenance().orphans(100).now()).isEqualTo(clock.instant());
  }

  @Test
  void orphans_are_limited() {
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
  void a_heartbeat_between_search_and_write_keeps_the_lease() {
    submit(TestTask.withoutRetry("a"));
    LeaseOwner worker = new LeaseOwner.RemoteOwner("worker-1", Duration.ofSeconds(60));
    Task task =
        store
            .claim(new ClaimRequest(worker, capacities(1, "a"), 1, true))
            .leases()
            .getFirst()
            .task();
    clock.advance(Duration.ofSeconds(60));
    Task found = store.maintenance().orphans(10).tasks().getFirst();

    store.heartbeat(List.of(new Heartbeat(task.lease(), null, null, Duration.ofSeconds(30))));

    assertThat(store.apply(List.of(lifecycle.workerLost(found))).getFirst().applied()).isFalse();
    assertThat(find(task.id()).state()).isEqualTo(TaskState.RUNNING);
    clock.advance(Duration.ofSeconds(30));
    assertThat(store.apply(List.of(lifecycle.workerLost(found))).getFirst().applied()).isTrue();
  }

  @Test
  void a_remote_workers_lease_expires_without_heartbeats() {
    UUID id = submit(TestTask.withoutRetry("a"));
    LeaseOwner worker = new LeaseOwner.RemoteOwner("worker-1", Duration.ofSeconds(60));
    Task task =
        store
            .claim(new ClaimRequest(worker, capacities(1, "a"), 1, true))
            .leases()
            .getFirst()
            .task();
    assertThat(task.worker()).isEqualTo("worker-1");

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
