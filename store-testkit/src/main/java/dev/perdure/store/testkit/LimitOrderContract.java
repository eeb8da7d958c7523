// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** First come, first served within a limit; limits take turns. */
abstract class LimitOrderContract extends LimitContract {

  private static final Limit ONE = Limit.concurrency(1);
  private static final Limit MANY = Limit.concurrency(1_000);

  LimitOrderContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** Runs one task after the other and returns them in the order of their starts. */
  private List<UUID> runOneByOne(int count) {
    List<UUID> order = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<UUID> claimed = claimAll("a");
      assertThat(claimed).hasSize(1);
      order.addAll(claimed);
      succeedRunning(claimed.getFirst());
    }
    return order;
  }

  @Test
  void the_task_that_was_due_first_starts_first() {
    UUID third = add(limited(ONE), DueTime.in(Duration.ofSeconds(3)));
    UUID first = add(limited(ONE), DueTime.in(Duration.ofSeconds(1)));
    UUID second = add(limited(ONE), DueTime.in(Duration.ofSeconds(2)));
    clock.advance(Duration.ofSeconds(4));

    assertThat(runOneByOne(3)).containsExactly(first, second, third);
  }

  @Test
  void a_higher_priority_starts_first() {
    UUID low = add(limited(ONE).withPriority(-5));
    UUID ordinary = add(limited(ONE));
    UUID high = add(limited(ONE).withPriority(5));
    UUID highest = add(limited(ONE).withPriority(1_000));

    assertThat(runOneByOne(4)).containsExactly(highest, high, ordinary, low);
  }

  @Test
  void a_task_that_has_waited_long_enough_overtakes_a_higher_priority() {
    UUID old = add(limited(ONE));
    clock.advance(Duration.ofSeconds(11));
    UUID urgent = add(limited(ONE).withPriority(10));

    assertThat(runOneByOne(2)).containsExactly(old, urgent);
  }

  @Test
  void a_claim_returns_tasks_in_the_order_in_which_they_should_start() {
    UUID low = add(limited(MANY).withPriority(-5));
    UUID ordinary = add(limited(MANY));
    UUID high = add(limited(MANY).withPriority(5));

    assertThat(claimOnce(10, "a")).containsExactly(high, ordinary, low);
  }

  @Test
  void a_full_limit_holds_back_nobody_else() {
    add(50, ofTenant("north", ONE));
    assertThat(claimOnce(1, "a")).hasSize(1);
    UUID south = add(ofTenant("south", ONE));

    assertThat(claimOnce(1, "a")).containsExactly(south);
    assertThat(claimAll("a")).isEmpty();
  }

  @Test
  void every_limit_is_served_before_any_is_served_twice() {
    add(10, ofTenant("north", MANY));
    add(10, ofTenant("south", MANY));
    add(10, ofTenant("west", MANY));

    assertThat(tenantsOf(claimOnce(3, "a"))).containsExactlyInAnyOrder("north", "south", "west");
    assertThat(tenantsOf(claimOnce(6, "a")))
        .containsExactlyInAnyOrder("north", "south", "west", "north", "south", "west");
  }

  @Test
  void limits_take_turns_when_there_is_one_slot_at_a_time() {
    add(10, ofTenant("north", MANY));
    add(10, ofTenant("south", MANY));
    add(10, ofTenant("west", MANY));
    for (int round = 0; round < 5; round++) {
      List<UUID> claimed = new ArrayList<>();
      for (int slot = 0; slot < 3; slot++) {
        clock.advance(MILLI);
        claimed.addAll(claimOnce(1, "a"));
      }

      assertThat(tenantsOf(claimed)).containsExactlyInAnyOrder("north", "south", "west");
    }
  }

  private List<String> tenantsOf(List<UUID> tasks) {
    return tasks.stream()
        .map(id -> String.valueOf(find(id).definition().metadata()))
        .map(metadata -> metadata.replaceAll(".*: ?\"(.*)\"}", "$1"))
        .toList();
  }

  @Test
  void no_limit_starves_although_others_always_have_new_tasks() {
    List<UUID> patient = add(8, ofTenant("patient", MANY));
    List<UUID> unserved = new ArrayList<>(patient);
    for (int round = 0; round < 8 * 6; round++) {
      for (String busy : List.of("a", "b", "x", "y")) {
        add(ofTenant(busy, MANY));
      }
      List<UUID> claimed = claimOnce(1, "a");
      assertThat(claimed).hasSize(1);
      succeedRunning(claimed.getFirst());
      unserved.removeAll(claimed);
    }

    assertThat(unserved).isEmpty();
  }

  @Test
  void no_limit_starves_when_the_others_are_full_most_of_the_time() {
    List<UUID> unserved = new ArrayList<>(add(8, ofTenant("patient", ONE)));
    UUID running = null;
    for (int round = 0; round < 8 * 6; round++) {
      for (String busy : List.of("a", "b", "x", "y")) {
        add(ofTenant(busy, ONE));
      }
      if (running != null) {
        succeedRunning(running);
      }
      List<UUID> claimed = claimOnce(1, "a");
      assertThat(claimed).hasSize(1);
      running = claimed.getFirst();
      unserved.removeAll(claimed);
    }

    assertThat(unserved).isEmpty();
  }

  @Test
  void limited_and_unlimited_tasks_both_start_when_slots_are_scarce() {
    List<UUID> unlimited = add(20, TestTask.withoutRetry("a"));
    List<UUID> limited = add(20, limited(MANY));
    List<UUID> claimed = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      clock.advance(MILLI);
      claimed.addAll(claimOnce(1, "a"));
    }

    assertThat(claimed).hasSize(20);
    assertThat(claimed.stream().filter(unlimited::contains)).hasSizeGreaterThanOrEqualTo(5);
    assertThat(claimed.stream().filter(limited::contains)).hasSizeGreaterThanOrEqualTo(5);
  }

  @Test
  void a_claim_fills_its_slots_with_limited_and_unlimited_tasks() {
    add(3, TestTask.withoutRetry("a"));
    add(5, limited(Limit.concurrency(2)));

    assertThat(claimOnce(4, "a")).hasSize(4);
    assertThat(claimOnce(4, "a")).hasSize(1);
  }

  @Test
  void the_free_slots_of_each_kind_hold_for_limited_tasks_too() {
    add(5, limited(MANY));
    add(5, TestTask.withoutRetry("a"));
    add(5, TestTask.withoutRetry("b").withLimits(MANY));
    List<QueueCapacity> capacities =
        List.of(new QueueCapacity("a", 3), new QueueCapacity("b", 1), new QueueCapacity("c", 0));
    ClaimRequest request = new ClaimRequest(new LeaseOwner.NodeOwner(node), capacities, 100, true);

    assertThat(store.claim(request).leases())
        .extracting(lease -> lease.task().definition().kind())
        .containsExactlyInAnyOrder("a", "a", "a", "b");
  }

  @Test
  void a_kind_without_free_slots_does_not_keep_others_from_starting() {
    add(150, limited(MANY).withQueue(QUEUE));
    UUID behind = add(limited(MANY));
    List<QueueCapacity> capacities =
        List.of(new QueueCapacity(QUEUE, 1), new QueueCapacity("a", 1));
    ClaimRequest request = new ClaimRequest(new LeaseOwner.NodeOwner(node), capacities, 10, true);
    List<UUID> claimed = new ArrayList<>(claimedIds(store.claim(request)));
    clock.advance(SECOND);
    claimed.addAll(claimOnce(10, "a"));

    assertThat(claimed).contains(behind);
  }

  @Test
  void more_limits_than_one_claim_looks_at_are_all_served() {
    List<TestTask> tasks =
        IntStream.range(0, 250).mapToObj(i -> ofTenant("tenant " + i, ONE)).toList();
    List<UUID> submitted = submit(shard, tasks, DueTime.now());

    assertThat(claimAll("a")).containsExactlyInAnyOrderElementsOf(submitted);
  }

  @Test
  void more_waiting_tasks_than_one_claim_looks_at_all_start() {
    List<UUID> submitted = add(350, limited(MANY));

    assertThat(claimAll("a")).containsExactlyInAnyOrderElementsOf(submitted);
  }

  @Test
  void many_ends_at_once_all_free_their_places() {
    int many = 700;
    add(2 * many, limited(Limit.concurrency(many)));
    List<UUID> first = claimAll("a");
    assertThat(first).hasSize(many);
    store.apply(
        first.stream().map(id -> lifecycle.settle(find(id), SUCCEEDED, clock.instant())).toList());
    List<UUID> second = claimAll("a");

    assertThat(second).hasSize(many).doesNotContainAnyElementsOf(first);
  }

  @Test
  void a_limit_that_is_reached_does_not_make_claims_come_back_at_once() {
    add(5, limited(ONE));
    Task running = running("a");

    assertThat(claim(10, "a").nextDue())
        .satisfiesAnyOf(
            hint -> assertThat(hint).isNull(),
            hint -> assertThat(hint).isGreaterThanOrEqualTo(SECOND));
    settle(running, SUCCEEDED);
    assertThat(claimOnce(10, "a")).hasSize(1);
  }

  @Test
  void a_claim_that_did_not_look_at_every_limit_is_repeated_at_once() {
    List<UUID> ended = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      ended.add(add(ofTenant("t" + i, ONE)));
    }
    assertThat(claimAll("a")).hasSameElementsAs(ended);
    ended.forEach(this::succeedRunning);
    clock.advance(SECOND);
    UUID last = add(ofTenant("last", ONE));

    List<UUID> claimed = List.of();
    for (int i = 0; i < 10 && claimed.isEmpty(); i++) {
      ClaimResult result = claim(1, "a");
      claimed = claimedIds(result);
      if (claimed.isEmpty()) {
        assertThat(result.nextDue()).isLessThanOrEqualTo(Duration.ofMillis(20));
      }
    }
    assertThat(claimed).containsExactly(last);
  }
}
