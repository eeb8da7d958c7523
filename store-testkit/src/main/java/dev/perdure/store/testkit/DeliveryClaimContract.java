// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.spi.DeliveryUpdate;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.DeliveryState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Deliveries are taken by one at a time, and what became of them is written once. */
abstract class DeliveryClaimContract extends DeliveryContract {

  DeliveryClaimContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Test
  void what_is_taken_is_nobody_elses_until_its_lease_is_over() {
    Delivery told = pendingDelivery();

    Delivery taken = claimedDelivery();
    assertThat(taken)
        .isEqualTo(
            new Delivery(
                told.id(),
                told.task(),
                told.batch(),
                told.message(),
                DeliveryState.PENDING,
                1,
                0,
                new Delivery.DeliveryTimes(
                    told.times().createdAt(),
                    told.times().retrySince(),
                    clock.instant().plus(LEASE),
                    clock.instant().plus(LEASE),
                    clock.instant(),
                    null),
                null))
        .isEqualTo(delivery(told.id()));
    clock.advance(LEASE.minus(MILLI));
    assertThat(claim(10)).isEmpty();

    clock.advance(MILLI);
    assertThat(claimedDelivery().epoch()).isEqualTo(2);
  }

  @Test
  void a_lease_that_is_extended_begins_anew() {
    pendingDelivery();
    Delivery taken = claimedDelivery();
    clock.advance(LEASE.minus(MILLI));
    outbox.extendLeases(List.of(taken), LEASE);

    Delivery extended = delivery(taken.id());
    assertThat(extended.times().leaseUntil()).isEqualTo(clock.instant().plus(LEASE));
    assertThat(extended.epoch()).isEqualTo(taken.epoch());
    clock.advance(LEASE.minus(MILLI));
    assertThat(claim(10)).isEmpty();
    clock.advance(MILLI);
    assertThat(claimedDelivery().epoch()).isEqualTo(2);
  }

  @Test
  void who_no_longer_has_it_extends_nothing() {
    List<Delivery> told = pendingDelivery(0, 2);
    List<Delivery> taken = claim(10);
    settle(DeliveryUpdate.failed(taken.get(1), Duration.ofHours(1), BUSY));
    clock.advance(LEASE);
    Delivery next = claimedDelivery();
    List<Delivery> before = told.stream().map(one -> delivery(one.id())).toList();

    clock.advance(MILLI);
    outbox.extendLeases(taken, LEASE);
    assertThat(told.stream().map(one -> delivery(one.id())).toList()).isEqualTo(before);
    outbox.extendLeases(List.of(next), LEASE);
    assertThat(delivery(next.id()).times().leaseUntil()).isEqualTo(clock.instant().plus(LEASE));
  }

  @Test
  void the_longest_due_are_taken_first_and_no_more_than_asked_for() {
    List<Delivery> told = pendingDelivery(0, 5);

    assertThat(ids(claim(2))).containsExactlyInAnyOrderElementsOf(ids(told.subList(0, 2)));
    assertThat(ids(claim(10))).containsExactlyInAnyOrderElementsOf(ids(told.subList(2, 5)));
  }

  @Test
  void every_shard_gets_its_turn() {
    List<UUID> told = new ArrayList<>();
    for (int i = 0; i < 2 * shards; i++) {
      told.add(pendingDelivery().id());
    }

    assertThat(ids(claim(100))).containsExactlyInAnyOrderElementsOf(told);
  }

  @Test
  void the_claim_tells_the_stores_time() {
    assertThat(outbox.claim(1, LEASE).now()).isEqualTo(clock.instant());
  }

  @Test
  void what_arrived_is_sent_and_never_taken_again() {
    pendingDelivery();
    Delivery taken = claimedDelivery();
    clock.advance(MILLI);

    assertThat(settle(DeliveryUpdate.sent(taken))).isTrue();
    Delivery sent = delivery(taken.id());
    assertThat(sent.state()).isEqualTo(DeliveryState.SENT);
    assertThat(sent.times().endedAt()).isEqualTo(clock.instant());
    assertThat(sent.times().leaseUntil()).isNull();
    assertThat(sent.lastFailure()).isNull();
    clock.advance(FOR_EVER.dividedBy(2));
    assertThat(claim(10)).isEmpty();
  }

  @Test
  void what_failed_is_the_next_attempt_not_before_its_instant() {
    pendingDelivery();
    settle(DeliveryUpdate.failed(claimedDelivery(), Duration.ofHours(5), BUSY));

    clock.advance(Duration.ofHours(5).minus(MILLI));
    assertThat(claim(10)).isEmpty();
    clock.advance(MILLI);
    Delivery again = claimedDelivery();
    assertThat(again.attempt()).isEqualTo(1);
    assertThat(again.lastFailure()).isEqualTo(BUSY);
    assertThat(settle(DeliveryUpdate.sent(again))).isTrue();
    assertThat(delivery(again.id()).lastFailure()).isEqualTo(BUSY);
  }

  @Test
  void what_was_put_off_is_the_same_attempt() {
    pendingDelivery();
    settle(DeliveryUpdate.deferred(claimedDelivery(), Duration.ofSeconds(1)));

    assertThat(claim(10)).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    Delivery again = claimedDelivery();
    assertThat(again.attempt()).isZero();
    assertThat(again.lastFailure()).isNull();
  }

  @Test
  void what_was_given_up_is_a_dead_letter() {
    pendingDelivery();
    settle(DeliveryUpdate.dead(claimedDelivery(), BUSY));

    clock.advance(FOR_EVER.dividedBy(2));
    assertThat(claim(10)).isEmpty();
    Delivery dead =
        outbox
            .list(DeliveryFilter.in(DeliveryState.DEAD), PageRequest.first(10))
            .deliveries()
            .getFirst();
    assertThat(dead.lastFailure()).isEqualTo(BUSY);
    assertThat(dead.times().endedAt()).isNotNull();
  }

  @Test
  void whoever_comes_too_late_is_refused() {
    pendingDelivery();
    Delivery lapsed = claimedDelivery();
    clock.advance(LEASE);
    Delivery current = claimedDelivery();
    Delivery before = delivery(current.id());

    assertThat(settle(DeliveryUpdate.sent(lapsed))).isFalse();
    assertThat(delivery(current.id())).isEqualTo(before);
    assertThat(settle(DeliveryUpdate.failed(current, Duration.ZERO, BUSY))).isTrue();
  }

  @Test
  void the_same_end_is_written_once() {
    pendingDelivery();
    Delivery taken = claimedDelivery();
    DeliveryUpdate again = DeliveryUpdate.failed(taken, Duration.ofHours(1), BUSY);
    assertThat(settle(again)).isTrue();
    Delivery written = delivery(taken.id());

    clock.advance(MILLI);
    assertThat(settle(again)).isFalse();
    assertThat(settle(DeliveryUpdate.sent(taken))).isFalse();
    assertThat(delivery(taken.id())).isEqualTo(written);
  }

  @Test
  void an_end_that_comes_late_but_before_anybody_else_counts() {
    pendingDelivery();
    Delivery taken = claimedDelivery();
    clock.advance(LEASE.multipliedBy(3));

    assertThat(settle(DeliveryUpdate.sent(taken))).isTrue();
  }

  private static DeliveryUpdate sent(UUID delivery, long epoch) {
    return new DeliveryUpdate(delivery, epoch, DeliveryOutcome.SENT, null, null);
  }

  @Test
  void many_are_settled_at_once_each_on_its_own() {
    pendingDelivery(0, 4);
    List<Delivery> taken = claim(10);
    settle(DeliveryUpdate.sent(taken.get(1)));

    List<Boolean> written =
        outbox.settle(
            List.of(
                DeliveryUpdate.sent(taken.get(0)),
                DeliveryUpdate.sent(taken.get(1)),
                sent(taken.get(2).id(), 2),
                DeliveryUpdate.dead(taken.get(3), BUSY),
                sent(ids.next(0), 1)));

    assertThat(written).containsExactly(true, false, false, true, false);
  }

  @Test
  void a_dead_letter_can_be_sent_again_and_counts_anew() {
    pendingDelivery();
    settle(DeliveryUpdate.failed(claimedDelivery(), Duration.ZERO, BUSY));
    Delivery taken = claimedDelivery();
    settle(DeliveryUpdate.dead(taken, BUSY));
    clock.advance(Duration.ofDays(1));

    assertThat(outbox.redeliver(taken.id())).isTrue();
    Delivery waiting = delivery(taken.id());
    assertThat(waiting.state()).isEqualTo(DeliveryState.PENDING);
    assertThat(waiting.attempt()).isZero();
    assertThat(waiting.times().retrySince()).isEqualTo(clock.instant());
    assertThat(waiting.times().endedAt()).isNull();
    assertThat(claimedDelivery().epoch()).isEqualTo(3);
    assertThat(settle(DeliveryUpdate.sent(taken))).isFalse();
  }

  @Test
  void what_was_sent_can_be_sent_again() {
    pendingDelivery();
    Delivery taken = claimedDelivery();
    settle(DeliveryUpdate.sent(taken));

    assertThat(outbox.redeliver(taken.id())).isTrue();
    assertThat(claimedDelivery().id()).isEqualTo(taken.id());
  }

  @Test
  void what_is_to_be_sent_anyway_is_not_sent_again() {
    Delivery told = pendingDelivery();

    assertThat(outbox.redeliver(told.id())).isFalse();
    assertThat(delivery(told.id())).isEqualTo(told);
    assertThat(outbox.redeliver(ids.next(0))).isFalse();
    assertThat(outbox.find(ids.next(0))).isEmpty();
  }

  @Test
  void claims_at_the_same_time_never_take_the_same() throws Exception {
    int many = 40;
    for (int i = 0; i < many; i++) {
      pendingDelivery();
    }
    Set<UUID> seen = ConcurrentHashMap.newKeySet();
    Callable<Integer> claiming =
        () -> {
          int twice = 0;
          // Somebody else's rows are passed over, so one may find nothing although there is more.
          for (int tries = 0; seen.size() < many && tries < 1_000; tries++) {
            for (Delivery taken : claim(3)) {
              twice += seen.add(taken.id()) ? 0 : 1;
            }
          }
          return twice;
        };
    try (ExecutorService executor = Executors.newFixedThreadPool(4)) {
      for (Future<Integer> twice :
          executor.invokeAll(Collections.nCopies(4, claiming), 100, TimeUnit.SECONDS)) {
        assertThat(twice.get()).isZero();
      }
    }
    assertThat(seen).hasSize(many);
  }
}
