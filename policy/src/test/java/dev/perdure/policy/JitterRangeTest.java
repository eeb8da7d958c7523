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

  private static JitterRange range(long base, Jitter jitter) {
    return JitterRange.of(base, jitter, BACKOFF, null);
  }

  private static void assertRange(JitterRange range, long earliest, long latest) {
    assertThat(range.reason()).isNull();
    assertThat(range.earliest()).isEqualTo(earliest);
    assertThat(range.latest()).isEqualTo(latest);
  }

  @Nested
  class EachJitter {

    @ParameterizedTest
    @CsvSource({"0", "1", "1000", "315360000000"})
    void none_is_the_base_delay(long base) {
      assertRange(range(base, Jitter.none()), base, base);
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "1000", "315360000000"})
    void full_ranges_from_zero_to_the_base_delay(long base) {
      assertRange(range(base, Jitter.full()), 0, base);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "2,1", "3,2", "1000,500", "1001,501", "315360000000,157680000000"})
    void equal_ranges_from_half_the_base_delay_to_the_base_delay(long base, long half) {
      assertRange(range(base, Jitter.equal()), half, base);
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
    void spread_extends_to_both_sides(long base, double factor, long earliest, long latest) {
      assertRange(range(base, Jitter.spread(factor)), earliest, latest);
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
    void add_extends_to_the_later_side_only(long base, double factor, long latest) {
      assertRange(range(base, Jitter.add(factor)), base, latest);
    }
  }

  @Nested
  class Decorrelated {

    private JitterRange after(@Nullable Duration previous) {
      return JitterRange.of(6_400, Jitter.decorrelated(), BACKOFF, previous);
    }

    @Test
    void starts_with_one_to_three_times_the_initial_delay() {
      assertRange(after(null), 100, 300);
    }

    @Test
    void extends_to_three_times_the_previous_delay() {
      assertRange(after(ofMillis(100)), 100, 300);
      assertRange(after(ofMillis(250)), 100, 750);
    }

    @Test
    void is_never_narrower_than_the_first_range() {
      assertRange(after(ofMillis(99)), 100, 300);
      assertRange(after(Duration.ZERO), 100, 300);
      assertRange(after(ofDays(-1)), 100, 300);
    }

    @Test
    void does_not_overflow_after_a_huge_delay() {
      assertRange(after(ofDays(1_000_000)), 100, 3 * ofDays(36_500).toMillis());
    }

    @Test
    void starts_at_the_initial_delay_of_a_linear_backoff() {
      Backoff linear = Backoff.linear(ofMillis(70), ofMillis(5));

      assertRange(JitterRange.of(75, Jitter.decorrelated(), linear, null), 70, 210);
    }
  }

  @Nested
  class Capped {

    private final JitterRange range = range(1_000, Jitter.spread(0.25));

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
      assertRange(range.cappedAt(limit), earliest, latest);
    }

    @Test
    void keeps_the_base_delay() {
      assertThat(range.cappedAt(900).base()).isEqualTo(1_000);
    }
  }

  @Nested
  class Drawing {

    private LongStream draws(JitterRange range) {
      SplittableRandom random = new SplittableRandom(1);
      return LongStream.generate(() -> range.draw(random)).limit(1_000);
    }

    @Test
    void includes_both_ends_and_nothing_beyond() {
      assertThat(draws(range(8, Jitter.spread(0.25))).distinct().sorted())
          .containsExactly(6L, 7L, 8L, 9L, 10L);
      assertThat(draws(range(1, Jitter.full())).distinct().sorted()).containsExactly(0L, 1L);
    }

    @Test
    void uses_no_random_number_for_a_single_value() {
      SplittableRandom random = new SplittableRandom(1);

      assertThat(range(5, Jitter.none()).draw(random)).isEqualTo(5);
      assertThat(random.nextLong()).isEqualTo(new SplittableRandom(1).nextLong());
    }
  }
}
