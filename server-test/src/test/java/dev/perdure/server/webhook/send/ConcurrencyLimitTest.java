// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConcurrencyLimitTest {

  private static final Duration START = Duration.ofHours(3);

  private static ConcurrencyLimit full(int slots) {
    ConcurrencyLimit limit = new ConcurrencyLimit(slots);
    while (!limit.isFull()) {
      limit.acquire(START);
    }
    return limit;
  }

  private static Duration step(ConcurrencyLimit limit, Duration now) {
    return limit.nextRetryIn(now).minus(limit.nextRetryIn(now)).negated();
  }

  @Test
  void retry_times_are_as_far_apart_as_slots_become_free() {
    ConcurrencyLimit limit = full(4);
    Duration now = START;
    for (int i = 0; i < 40; i++) {
      limit.release(now.minusMillis(800), now);
      limit.acquire(now);
      now = now.plusMillis(200);
    }

    assertThat(step(limit, now)).isBetween(Duration.ofMillis(190), Duration.ofMillis(210));
  }

  @Test
  void retry_times_move_apart_while_no_slot_is_released() {
    ConcurrencyLimit limit = full(10);

    assertThat(step(limit, START.plusSeconds(5))).isEqualTo(Duration.ofMillis(500));
    assertThat(step(limit, START.plusSeconds(20))).isEqualTo(Duration.ofSeconds(2));
    assertThat(step(limit, START.plusSeconds(7_200))).isEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void a_few_hanging_slots_do_not_matter_while_others_turn_over() {
    ConcurrencyLimit limit = full(4);
    Duration now = START;
    for (int i = 0; i < 400; i++) {
      now = now.plusMillis(100);
      limit.release(now.minusMillis(100), now);
      limit.acquire(now);
    }

    assertThat(step(limit, now)).isEqualTo(Duration.ofMillis(25));
  }

  @Test
  void retry_times_stay_within_their_bounds_and_are_spread() {
    ConcurrencyLimit limit = full(16);
    Map<Duration, Integer> at = new HashMap<>();
    Duration now = START.plusSeconds(30);
    for (int i = 0; i < 10_000; i++) {
      Duration retryIn = limit.nextRetryIn(now);
      assertThat(retryIn).isBetween(ConcurrencyLimit.MIN_RETRY_IN, ConcurrencyLimit.MAX_RETRY_IN);
      at.merge(retryIn.truncatedTo(ChronoUnit.SECONDS), 1, Integer::sum);
    }

    assertThat(at.values()).allMatch(count -> count < 200);
  }

  @Test
  void retry_times_start_again_after_the_last_one_has_passed() {
    ConcurrencyLimit limit = full(1);
    for (int i = 0; i < 100; i++) {
      limit.nextRetryIn(START);
    }
    Duration later = START.plus(ConcurrencyLimit.MAX_RETRY_IN).plusSeconds(1);

    assertThat(limit.nextRetryIn(later)).isEqualTo(ConcurrencyLimit.MIN_RETRY_IN);
    assertThat(limit.isIdle(later.plusSeconds(600))).as("a slot is in use").isFalse();
    limit.release(START, later);
    assertThat(limit.isIdle(later)).as("a retry time is outstanding").isFalse();
    assertThat(limit.isIdle(later.plusSeconds(600))).isTrue();
  }
}
