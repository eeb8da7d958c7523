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

  private static ConcurrencyLimit full(int places) {
    ConcurrencyLimit limit = new ConcurrencyLimit(places);
    while (!limit.isFull()) {
      limit.acquire(START);
    }
    return limit;
  }

  private static Duration step(ConcurrencyLimit limit, Duration now) {
    return limit.nextRetryIn(now).minus(limit.nextRetryIn(now)).negated();
  }

  @Test
  void follow_each_other_as_fast_as_places_come_free() {
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
  void come_further_apart_the_longer_nobody_leaves() {
    ConcurrencyLimit limit = full(10);

    assertThat(step(limit, START.plusSeconds(5))).isEqualTo(Duration.ofMillis(500));
    assertThat(step(limit, START.plusSeconds(20))).isEqualTo(Duration.ofSeconds(2));
    assertThat(step(limit, START.plusSeconds(7_200))).isEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void a_few_that_hang_do_not_count_while_others_come_and_go() {
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
  void are_within_limits_and_spread_however_many_wait() {
    ConcurrencyLimit limit = full(16);
    Map<Duration, Integer> at = new HashMap<>();
    Duration now = START.plusSeconds(30);
    for (int i = 0; i < 10_000; i++) {
      Duration turn = limit.nextRetryIn(now);
      assertThat(turn).isBetween(ConcurrencyLimit.MIN_RETRY_IN, ConcurrencyLimit.MAX_RETRY_IN);
      at.merge(turn.truncatedTo(ChronoUnit.SECONDS), 1, Integer::sum);
    }

    assertThat(at.values()).allMatch(count -> count < 200);
  }

  @Test
  void begin_anew_when_the_last_one_has_come() {
    ConcurrencyLimit limit = full(1);
    for (int i = 0; i < 100; i++) {
      limit.nextRetryIn(START);
    }
    Duration later = START.plus(ConcurrencyLimit.MAX_RETRY_IN).plusSeconds(1);

    assertThat(limit.nextRetryIn(later)).isEqualTo(ConcurrencyLimit.MIN_RETRY_IN);
    assertThat(limit.isIdle(later.plusSeconds(600))).as("somebody is there").isFalse();
    limit.release(START, later);
    assertThat(limit.isIdle(later)).as("somebody is to come").isFalse();
    assertThat(limit.isIdle(later.plusSeconds(600))).isTrue();
  }
}
