// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntervalTimesTest {

  private static final Instant CREATED = Instant.parse("2026-11-18T08:00:00.250Z");

  private final FiringTimes times = Trigger.every(Duration.ofMinutes(5)).firingTimes(CREATED);

  @Test
  void the_first_firing_is_one_interval_after_the_anchor() {
    Instant first = Instant.parse("2026-11-18T08:05:00.250Z");

    assertThat(times.next(CREATED)).isEqualTo(first);
    assertThat(times.next(Instant.EPOCH)).isEqualTo(first);
    assertThat(times.previousOrSame(first.minusNanos(1))).isEmpty();
    assertThat(times.previousOrSame(first)).contains(first);
  }

  @Test
  void firings_stay_at_multiples_of_the_interval() {
    assertThat(times.next(Instant.parse("2026-11-18T09:01:17Z"), 2))
        .containsExactly(
            Instant.parse("2026-11-18T09:05:00.250Z"), Instant.parse("2026-11-18T09:10:00.250Z"));
    assertThat(times.next(Instant.parse("2026-11-18T09:05:00.250Z")))
        .isEqualTo(Instant.parse("2026-11-18T09:10:00.250Z"));
    assertThat(times.next(Instant.parse("2026-11-18T09:05:00.249999Z")))
        .isEqualTo(Instant.parse("2026-11-18T09:05:00.250Z"));
  }

  @Test
  void the_anchor_counts_in_whole_milliseconds() {
    Instant anchor = CREATED.plusNanos(999_999);

    assertThat(Trigger.every(Duration.ofMinutes(5)).firingTimes(anchor)).isEqualTo(times);
  }

  @ParameterizedTest
  @CsvSource({
    "PT0.999S, 'every: must be 1s to 366d, not 999ms'",
    "PT0S, 'every: must be 1s to 366d, not 0s'",
    "PT-5M, 'every: must be 1s to 366d, not PT-5M'",
    "P367D, 'every: must be 1s to 366d, not 367d'",
    "PT1.0000001S, 'every: must be whole milliseconds, not PT1.0000001S'"
  })
  void refuses_intervals_that_are_too_short_too_long_or_too_precise(
      Duration interval, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Trigger.every(interval))
        .withMessage(message);
  }

  @Test
  void accepts_the_shortest_and_the_longest_interval() {
    assertThat(Trigger.every(Duration.ofSeconds(1)).firingTimes(CREATED).next(CREATED))
        .isEqualTo(CREATED.plusSeconds(1));
    assertThat(Trigger.every(Duration.ofDays(366)).firingTimes(CREATED).next(CREATED))
        .isEqualTo(CREATED.plus(Duration.ofDays(366)));
  }
}
