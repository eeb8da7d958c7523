// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.Backoff.exponential;
import static dev.perdure.policy.Backoff.fixed;
import static dev.perdure.policy.Backoff.forever;
import static dev.perdure.policy.Backoff.ladder;
import static dev.perdure.policy.Backoff.linear;
import static dev.perdure.policy.Backoff.schedule;
import static dev.perdure.policy.Backoff.step;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffMathTest {

  private static final long NO_LIMIT = ofDays(3650).toMillis();

  @Test
  void immediate_has_no_delay() {
    assertThat(BackoffMath.baseDelayMillis(Backoff.immediate(), 0, NO_LIMIT)).isZero();
    assertThat(BackoffMath.baseDelayMillis(Backoff.immediate(), Long.MAX_VALUE, NO_LIMIT)).isZero();
  }

  @Test
  void fixed_has_the_same_delay_every_time() {
    assertThat(BackoffMath.baseDelayMillis(fixed(ofSeconds(5)), 0, NO_LIMIT)).isEqualTo(5_000);
    assertThat(BackoffMath.baseDelayMillis(fixed(ofSeconds(5)), Long.MAX_VALUE, NO_LIMIT))
        .isEqualTo(5_000);
    assertThat(BackoffMath.baseDelayMillis(fixed(ofDays(3651)), 0, NO_LIMIT)).isEqualTo(NO_LIMIT);
  }

  @Nested
  class Linear {

    private final Backoff backoff = linear(ofSeconds(1), ofSeconds(2));

    @ParameterizedTest
    @CsvSource({"0,1000", "1,3000", "2,5000", "3,7000", "1000000,2000001000"})
    void adds_the_increment_each_time(long n, long expected) {
      assertThat(BackoffMath.baseDelayMillis(backoff, n, NO_LIMIT)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
      "1,6999,3000",
      "3,6999,6999",
      "3,7000,7000",
      "3,7001,7000",
      "4,7001,7001",
      "4,9000,9000"
    })
    void is_capped_at_the_limit(long n, long limit, long expected) {
      assertThat(BackoffMath.baseDelayMillis(backoff, n, limit)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(longs = {1L << 31, 1L << 53, 1L << 62, Long.MAX_VALUE})
    void stays_at_the_limit_forever(long n) {
      assertThat(BackoffMath.baseDelayMillis(backoff, n, NO_LIMIT)).isEqualTo(NO_LIMIT);
    }

    @Test
    void starts_at_the_limit_when_the_first_delay_is_longer() {
      Backoff longer = linear(ofDays(3651), ofDays(36_500));

      assertThat(BackoffMath.baseDelayMillis(longer, 0, NO_LIMIT)).isEqualTo(NO_LIMIT);
      assertThat(BackoffMath.baseDelayMillis(longer, 1, NO_LIMIT)).isEqualTo(NO_LIMIT);
    }
  }

  @Nested
  class Exponential {

    @ParameterizedTest
    @CsvSource({"0,1000", "1,2000", "2,4000", "3,8000", "10,1024000", "28,268435456000"})
    void multiplies_each_time(long n, long expected) {
      assertThat(BackoffMath.baseDelayMillis(exponential(ofSeconds(1), 2), n, NO_LIMIT))
          .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0,1000", "1,1500", "2,2250", "3,3375", "4,5063", "5,7594"})
    void rounds_to_the_millisecond(long n, long expected) {
      assertThat(BackoffMath.baseDelayMillis(exponential(ofSeconds(1), 1.5), n, NO_LIMIT))
          .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"2,3999,3999", "2,4000,4000", "2,4001,4000", "3,4001,4001"})
    void is_capped_at_the_limit(long n, long limit, long expected) {
      assertThat(BackoffMath.baseDelayMillis(exponential(ofSeconds(1), 2), n, limit))
          .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(longs = {29, 53, 54, 55, 63, 64, 1023, 1024, 1L << 31, Long.MAX_VALUE})
    void stays_at_the_limit_forever(long n) {
      assertThat(BackoffMath.baseDelayMillis(exponential(ofSeconds(1), 2), n, NO_LIMIT))
          .isEqualTo(NO_LIMIT);
    }

    @Test
    void stays_constant_when_the_multiplier_is_one() {
      assertThat(
              BackoffMath.baseDelayMillis(exponential(ofSeconds(1), 1), Long.MAX_VALUE, NO_LIMIT))
          .isEqualTo(1_000);
    }

    @Test
    void survives_the_largest_multiplier() {
      Backoff steep = exponential(ofMillis(1), Double.MAX_VALUE);

      assertThat(BackoffMath.baseDelayMillis(steep, 0, NO_LIMIT)).isEqualTo(1);
      assertThat(BackoffMath.baseDelayMillis(steep, 1, NO_LIMIT)).isEqualTo(NO_LIMIT);
      assertThat(BackoffMath.baseDelayMillis(steep, Long.MAX_VALUE, NO_LIMIT)).isEqualTo(NO_LIMIT);
    }
  }

  @Nested
  class Schedule {

    private final Backoff backoff = schedule(ofSeconds(1), ofSeconds(60), ofSeconds(5));

    @ParameterizedTest
    @CsvSource({"0,1000", "1,60000", "2,5000", "3,5000", "2147483648,5000"})
    void uses_the_delays_in_order_and_then_repeats_the_last(long n, long expected) {
      assertThat(BackoffMath.baseDelayMillis(backoff, n, NO_LIMIT)).isEqualTo(expected);
    }

    @Test
    void repeats_the_last_delay_forever() {
      assertThat(BackoffMath.baseDelayMillis(backoff, Long.MAX_VALUE, NO_LIMIT)).isEqualTo(5_000);
      assertThat(BackoffMath.baseDelayMillis(backoff, 1L << 32, NO_LIMIT)).isEqualTo(5_000);
    }

    @Test
    void is_capped_when_max_delay_is_shorter_than_a_delay() {
      assertThat(BackoffMath.baseDelayMillis(backoff, 1, 10_000)).isEqualTo(10_000);
      assertThat(BackoffMath.baseDelayMillis(backoff, 0, 999)).isEqualTo(999);
    }
  }

  @Nested
  class Ladder {

    private final Backoff ends = ladder(step(2, ofSeconds(5)), step(1, ofSeconds(60)));
    private final Backoff endless = ladder(step(2, ofSeconds(5)), forever(ofSeconds(60)));

    @ParameterizedTest
    @CsvSource({"0,5000", "1,5000", "2,60000", "3,-1", "4,-1", "9223372036854775807,-1"})
    void climbs_the_steps_and_ends(long n, long expected) {
      assertThat(BackoffMath.baseDelayMillis(ends, n, NO_LIMIT)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"1,5000", "2,60000", "3,60000", "2147483648,60000", "9223372036854775807,60000"})
    void climbs_the_steps_and_stays_on_an_endless_one(long n, long expected) {
      assertThat(BackoffMath.baseDelayMillis(endless, n, NO_LIMIT)).isEqualTo(expected);
    }

    @Test
    void is_capped_when_max_delay_is_shorter_than_a_step() {
      assertThat(BackoffMath.baseDelayMillis(ends, 2, 10_000)).isEqualTo(10_000);
      assertThat(BackoffMath.baseDelayMillis(ends, 0, 10_000)).isEqualTo(5_000);
    }

    @Test
    void counts_beyond_the_int_range() {
      Backoff tall =
          ladder(
              step(Integer.MAX_VALUE, ofSeconds(1)),
              step(Integer.MAX_VALUE, ofSeconds(2)),
              step(1, ofSeconds(3)));

      assertThat(BackoffMath.baseDelayMillis(tall, Integer.MAX_VALUE - 1L, NO_LIMIT))
          .isEqualTo(1_000);
      assertThat(BackoffMath.baseDelayMillis(tall, Integer.MAX_VALUE, NO_LIMIT)).isEqualTo(2_000);
      assertThat(BackoffMath.baseDelayMillis(tall, 2L * Integer.MAX_VALUE, NO_LIMIT))
          .isEqualTo(3_000);
      assertThat(BackoffMath.baseDelayMillis(tall, 2L * Integer.MAX_VALUE + 1, NO_LIMIT))
          .isEqualTo(-1);
    }
  }
}
