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

/** A delivery is leased to one sender at a time, and its result is written once. */
abstract class DeliveryClaimContract extends DeliveryContract {

  DeliveryClaimContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Test
  void a_claimed_delivery_is_not_claimable_until_its_lease_ends() {
    Delivery pending = pendingDelivery();

    Delivery claimed = claimedDelivery();
    assertThat(claimed)
        .isEqualTo(
            new Delivery(
                pending.id(),
                pending.task(),
                pending.batch(),
                pending.message(),
                DeliveryState.PENDING,
                1,
                0,
                new Delivery.DeliveryTimes(
                    pending.times().createdAt(),
                    pending.times().retrySince(),
                    clock.instant().plus(LEASE),
                    clock.instant().plus(LEASE),
                    clock.instant(),
                    null),
                null))
        .isEqualTo(delivery(pending.id()));
    clock.advance(LEASE.minus(MILLI));
    assertThat(claim(10)).isEmpty();

    clock.advance(MILLI);
    assertThat(claimedDelivery().epoch()).isEqualTo(2);
  }

  @Test
  void extending_a_lease_restarts_it() {
    pendingDelivery();
    Delivery claimed = claimedDelivery();
    clock.advance(LEASE.minus(MILLI));
    outbox.extendLeases(List.of(claimed), LEASE);

    Delivery extended = delivery(claimed.id());
    assertThat(extended.times().leaseUntil()).isEqualTo(clock.instant().plus(LEASE));
    assertThat(extended.epoch()).isEqualTo(claimed.epoch());
    clock.advance(LEASE.minus(MILLI));
    assertThat(claim(10)).isEmpty();
    clock.advance(MILLI);
    assertThat(claimedDelivery().epoch()).isEqualTo(2);
  }

  @Test
  void a_sender_without_the_lease_cannot_extend_it() {
    List<Delivery> pending = pendingDeliveries(0, 2);
    List<Delivery> claimed = claim(10);
    settle(DeliveryUpdate.failed(claimed.get(1), Duration.ofHours(1), BUSY));
    clock.advance(LEASE);
    Delivery next = claimedDelivery();
    List<Delivery> before = pending.stream().map(delivery -> delivery(delivery.id())).toList();

    clock.advance(MILLI);
    outbox.extendLeases(claimed, LEASE);
    assertThat(pending.stream().map(delivery -> delivery(delivery.id())).toList())
        .isEqualTo(before);
    outbox.extendLeases(List.of(next), LEASE);
    assertThat(delivery(next.id()).times().leaseUntil()).isEqualTo(clock.instant().plus(LEASE));
  }

  @Test
  void the_earliest_due_deliveries_are_claimed_first_up_to_the_limit() {
    List<Delivery> pending = pendingDeliveries(0, 5);

    assertThat(ids(claim(2))).containsExactlyInAnyOrderElementsOf(ids(pending.subList(0, 2)));
    assertThat(ids(claim(10))).containsExactlyInAnyOrderElementsOf(ids(pending.subList(2, 5)));
  }

  @Test
  void deliveries_of_every_shard_are_claimed() {
    List<UUID> pending = new ArrayList<>();
    for (int i = 0; i < 2 * shards; i++) {
      pending.add(pendingDelivery().id());
    }

    assertThat(ids(claim(100))).containsExactlyInAnyOrderElementsOf(pending);
  }

  @Test
  void a_claim_returns_the_stores_time() {
    assertThat(outbox.claim(1, LEASE).now()).isEqualTo(clock.instant());
  }

  @Test
  void a_sent_delivery_is_never_claimed_again() {
    pendingDelivery();
    Delivery claimed = claimedDelivery();
    clock.advance(MILLI);

    assertThat(settle(DeliveryUpdate.sent(claimed))).isTrue();
    Delivery sent = delivery(claimed.id());
    assertThat(sent.state()).isEqualTo(DeliveryState.SENT);
    assertThat(sent.times().endedAt()).isEqualTo(clock.instant());
    assertThat(sent.times().leaseUntil()).isNull();
    assertThat(sent.lastFailure()).isNull();
    clock.advance(FOR_EVER.dividedBy(2));
    assertThat(claim(10)).isEmpty();
  }

  @Test
  void a_failed_delivery_is_retried_at_its_instant() {
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
  void a_deferred_delivery_stays_the_same_attempt() {
    pendingDelivery();
    settle(DeliveryUpdate.deferred(claimedDelivery(), Duration.ofSeconds(1)));

    assertThat(claim(10)).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    Delivery again = claimedDelivery();
    assertThat(again.attempt()).isZero();
    assertThat(again.lastFailure()).isNull();
  }

  @Test
  void a_delivery_that_is_given_up_becomes_a_dead_letter() {
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
  void settling_after_another_claim_is_refused() {
    pendingDelivery();
    Delivery expired = claimedDelivery();
    clock.advance(LEASE);
    Delivery current = claimedDelivery();
    Delivery before = delivery(current.id());

    assertThat(settle(DeliveryUpdate.sent(expired))).isFalse();
    assertThat(delivery(current.id())).isEqualTo(before);
    assertThat(settle(DeliveryUpdate.failed(current, Duration.ZERO, BUSY))).isTrue();
  }

  @Test
  void a_delivery_can_be_settled_only_once_per_lease() {
    pendingDelivery();
    Delivery claimed = claimedDelivery();
    DeliveryUpdate again = DeliveryUpdate.failed(claimed, Duration.ofHours(1), BUSY);
    assertThat(settle(again)).isTrue();
    Delivery written = delivery(claimed.id());

    clock.advance(MILLI);
    assertThat(settle(again)).isFalse();
    assertThat(settle(DeliveryUpdate.sent(claimed))).isFalse();
    assertThat(delivery(claimed.id())).isEqualTo(written);
  }

  @Test
  void settling_after_the_lease_but_before_another_claim_counts() {
    pendingDelivery();
    Delivery claimed = claimedDelivery();
    clock.advance(LEASE.multipliedBy(3));

    assertThat(settle(DeliveryUpdate.sent(claimed))).isTrue();
  }

  private static DeliveryUpdate sent(UUID delivery, long epoch) {
    return new DeliveryUpdate(delivery, epoch, DeliveryOutcome.SENT, null, null);
  }

  @Test
  void several_deliveries_are_settled_independently() {
    pendingDeliveries(0, 4);
    List<Delivery> claimed = claim(10);
    settle(DeliveryUpdate.sent(claimed.get(1)));

    List<Boolean> written =
        outbox.settle(
            List.of(
                DeliveryUpdate.sent(claimed.get(0)),
                DeliveryUpdate.sent(claimed.get(1)),
                sent(claimed.get(2).id(), 2),
                DeliveryUpdate.dead(claimed.get(3), BUSY),
                sent(ids.next(0), 1)));

    assertThat(written).containsExactly(true, false, false, true, false);
  }

  @Test
  void a_redelivered_dead_letter_starts_again_at_attempt_zero() {
    pendingDelivery();
    settle(DeliveryUpdate.failed(claimedDelivery(), Duration.ZERO, BUSY));
    Delivery claimed = claimedDelivery();
    settle(DeliveryUpdate.dead(claimed, BUSY));
    clock.advance(Duration.ofDays(1));

    assertThat(outbox.redeliver(claimed.id())).isTrue();
    Delivery waiting = delivery(claimed.id());
    assertThat(waiting.state()).isEqualTo(DeliveryState.PENDING);
    assertThat(waiting.attempt()).isZero();
    assertThat(waiting.times().retrySince()).isEqualTo(clock.instant());
    assertThat(waiting.times().endedAt()).isNull();
    assertThat(claimedDelivery().epoch()).isEqualTo(3);
    assertThat(settle(DeliveryUpdate.sent(claimed))).isFalse();
  }

  @Test
  void a_sent_delivery_can_be_redelivered() {
    pendingDelivery();
    Delivery claimed = claimedDelivery();
    settle(DeliveryUpdate.sent(claimed));

    assertThat(outbox.redeliver(claimed.id(), DeliveryState.DEAD, Duration.ZERO)).isFalse();
    assertThat(delivery(claimed.id()).state()).isEqualTo(DeliveryState.SENT);
    assertThat(outbox.redeliver(claimed.id())).isTrue();
    assertThat(claimedDelivery().id()).isEqualTo(claimed.id());
  }

  @Test
  void a_redelivery_after_a_delay_starts_its_retry_time_when_it_is_due() {
    pendingDelivery();
    Delivery claimed = claimedDelivery();
    settle(DeliveryUpdate.dead(claimed, BUSY));
    Duration delay = Duration.ofDays(1);

    assertThat(outbox.redeliver(claimed.id(), DeliveryState.DEAD, delay)).isTrue();
    Delivery waiting = delivery(claimed.id());
    assertThat(waiting.times().dueAt()).isEqualTo(clock.instant().plus(delay));
    assertThat(waiting.times().retrySince()).isEqualTo(waiting.times().dueAt());
    assertThat(waiting.times().updatedAt()).isEqualTo(clock.instant());
    assertThat(outbox.redeliver(claimed.id(), DeliveryState.DEAD, delay)).isFalse();
  }

  @Test
  void a_pending_delivery_cannot_be_redelivered() {
    Delivery pending = pendingDelivery();

    assertThat(outbox.redeliver(pending.id())).isFalse();
    assertThat(delivery(pending.id())).isEqualTo(pending);
    assertThat(outbox.redeliver(ids.next(0))).isFalse();
    assertThat(outbox.find(ids.next(0))).isEmpty();
  }

  @Test
  void concurrent_claims_never_get_the_same_delivery() throws Exception {
    int count = 40;
    for (int i = 0; i < count; i++) {
      pendingDelivery();
    }
    Set<UUID> seen = ConcurrentHashMap.newKeySet();
    Callable<Integer> claiming =
        () -> {
          int duplicates = 0;
          // A claim skips rows that other threads have locked, so it can be empty while deliveries
          // are left.
          for (int tries = 0; seen.size() < count && tries < 1_000; tries++) {
            for (Delivery claimed : claim(3)) {
              duplicates += seen.add(claimed.id()) ? 0 : 1;
            }
          }
          return duplicates;
        };
    try (ExecutorService executor = Executors.newFixedThreadPool(4)) {
      for (Future<Integer> duplicates :
          executor.invokeAll(Collections.nCopies(4, claiming), 100, TimeUnit.SECONDS)) {
        assertThat(duplicates.get()).isZero();
      }
    }
    assertThat(seen).hasSize(count);
  }
}
