// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JitterRangeTest {

  private static final Backoff BACKOFF = Backoff.exponential(ofMillis(100), 2);

  private static JitterRange span(long base, Jitter jitter) {
    return JitterRange.of(base, jitter, BACKOFF, null);
  }

  private static void assertSpan(JitterRange jitterRange, long earliest, long latest) {
    assertThat(jitterRange.reason()).isNull();
    assertThat(jitterRange.earliest()).isEqualTo(earliest);
    assertThat(jitterRange.latest()).isEqualTo(latest);
  }

  @Nested
  class OfAJitter {

    @ParameterizedTest
    @CsvSource({"0", "1", "1000", "315360000000"})
    void none_is_the_base(long base) {
      assertSpan(span(base, Jitter.none()), base, base);
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "1000", "315360000000"})
    void full_goes_from_nothing_to_the_base(long base) {
      assertSpan(span(base, Jitter.full()), 0, base);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "2,1", "3,2", "1000,500", "1001,501", "315360000000,157680000000"})
    void equal_goes_from_half_the_base_to_the_base(long base, long half) {
      assertSpan(span(base, Jitter.equal()), half, base);
    }

    @ParameterizedTest
    @CsvSource({
      "0,0.25,0,0",
      "3,0.25,2,4",
      "4,0.25,3,5",
      "1000,0,1000,1000",
      "1000,0.25,750,1250",
      "1001,0.25,751,1251",
      "1000,1,0,2000",
      "315360000000,1,0,630720000000",
    })
    void spread_reaches_to_either_side(long base, double factor, long earliest, long latest) {
      assertSpan(span(base, Jitter.spread(factor)), earliest, latest);
    }

    @ParameterizedTest
    @CsvSource({
      "0,0.5,0",
      "1,0.5,2",
      "3,0.5,5",
      "1000,0,1000",
      "1000,0.5,1500",
      "1000,1,2000",
    })
    void add_reaches_to_the_later_side_only(long base, double factor, long latest) {
      assertSpan(span(base, Jitter.add(factor)), base, latest);
    }
  }

  @Nested
  class Decorrelated {

    private JitterRange after(@Nullable Duration previous) {
      return JitterRange.of(6_400, Jitter.decorrelated(), BACKOFF, previous);
    }

    @Test
    void goes_at_first_from_the_initial_delay_to_three_times_that() {
      assertSpan(after(null), 100, 300);
    }

    @Test
    void goes_to_three_times_the_delay_before() {
      assertSpan(after(ofMillis(100)), 100, 300);
      assertSpan(after(ofMillis(250)), 100, 750);
    }

    @Test
    void is_never_narrower_than_at_first() {
      assertSpan(after(ofMillis(99)), 100, 300);
      assertSpan(after(Duration.ZERO), 100, 300);
      assertSpan(after(ofDays(-1)), 100, 300);
    }

    @Test
    void does_not_overflow_after_a_delay_without_end() {
      assertSpan(after(ofDays(1_000_000)), 100, 3 * ofDays(36_500).toMillis());
    }

    @Test
    void begins_at_the_first_delay_of_a_linear_backoff_too() {
      Backoff linear = Backoff.linear(ofMillis(70), ofMillis(5));

      assertSpan(JitterRange.of(75, Jitter.decorrelated(), linear, null), 70, 210);
    }
  }

  @Nested
  class Cut {

    private final JitterRange jitterRange = span(1_000, Jitter.spread(0.25));

    @ParameterizedTest
    @CsvSource({
      "1251,750,1250",
      "1250,750,1250",
      "1249,750,1249",
      "1000,750,1000",
      "750,750,750",
      "749,749,749",
      "0,0,0",
    })
    void ends_at_the_limit(long limit, long earliest, long latest) {
      assertSpan(jitterRange.cappedAt(limit), earliest, latest);
    }

    @Test
    void keeps_the_base() {
      assertThat(jitterRange.cappedAt(900).base()).isEqualTo(1_000);
    }
  }

  @Nested
  class Drawing {

    private LongStream draws(JitterRange jitterRange) {
      SplittableRandom random = new SplittableRandom(1);
      return LongStream.generate(() -> jitterRange.draw(random)).limit(1_000);
    }

    @Test
    void reaches_both_ends_and_nothing_beyond() {
      assertThat(draws(span(8, Jitter.spread(0.25))).distinct().sorted())
          .containsExactly(6L, 7L, 8L, 9L, 10L);
      assertThat(draws(span(1, Jitter.full())).distinct().sorted()).containsExactly(0L, 1L);
    }

    @Test
    void takes_the_only_value_without_asking_for_a_random_number() {
      SplittableRandom random = new SplittableRandom(1);

      assertThat(span(5, Jitter.none()).draw(random)).isEqualTo(5);
      assertThat(random.nextLong()).isEqualTo(new SplittableRandom(1).nextLong());
    }
  }
}
