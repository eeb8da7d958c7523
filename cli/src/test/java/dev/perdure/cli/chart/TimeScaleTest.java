// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.chart;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.perdure.policy.explain.Timeline;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimeScaleTest {

  private static Timeline.Retry at(Duration time) {
    Timeline.Range range = new Timeline.Range(time, time, time);
    return new Timeline.Retry(0, time, range, range, null);
  }

  @Test
  void is_linear_over_a_small_range() {
    TimeScale scale = TimeScale.over(List.of(at(ofSeconds(2)), at(ofSeconds(30))));

    assertThat(scale.logarithmic()).isFalse();
    assertThat(scale.position(ofSeconds(15))).isEqualTo(0.5);
    assertThat(scale.position(ofSeconds(99))).isEqualTo(1);
    assertThat(scale.ticks(5))
        .containsExactly(ofSeconds(0), ofSeconds(10), ofSeconds(20), ofSeconds(30));
  }

  @Test
  void is_logarithmic_over_a_wide_range() {
    TimeScale scale = TimeScale.over(List.of(at(ofSeconds(1)), at(ofSeconds(10_000))));

    assertThat(scale.logarithmic()).isTrue();
    assertThat(scale.position(ofSeconds(100))).isCloseTo(0.5, within(1e-9));
    assertThat(scale.position(Duration.ZERO)).isZero();
    assertThat(scale.ticks(9))
        .containsExactly(
            ofSeconds(1), ofSeconds(10), ofMinutes(1), ofMinutes(10), Duration.ofHours(1));
  }

  @Test
  void accepts_delays_of_zero() {
    TimeScale scale = TimeScale.over(List.of(at(Duration.ZERO)));

    assertThat(scale.position(Duration.ZERO)).isZero();
    assertThat(TimeScale.over(List.of()).position(Duration.ZERO)).isZero();
  }

  @Test
  void never_has_more_ticks_than_requested() {
    for (int maxTicks = 2; maxTicks < 12; maxTicks++) {
      for (long millis = 1; millis < ofDays(36_500_000).toMillis(); millis = millis * 7 / 3 + 1) {
        assertThat(TimeScale.upTo(ofMillis(millis)).ticks(maxTicks))
            .hasSizeBetween(maxTicks == 2 ? 1 : 2, maxTicks)
            .isSorted();
        assertThat(TimeScale.over(List.of(at(ofMillis(1)), at(ofMillis(millis)))).ticks(maxTicks))
            .hasSizeLessThanOrEqualTo(maxTicks);
      }
    }
  }

  @Test
  void count_ticks_are_round_numbers() {
    assertThat(CountTicks.upTo(940, 4)).containsExactly(0L, 500L, 1_000L);
    assertThat(CountTicks.upTo(3, 4)).containsExactly(0L, 1L, 2L, 3L);
    assertThat(CountTicks.upTo(0, 4)).containsExactly(0L);
    assertThat(CountTicks.upTo(Integer.MAX_VALUE, 4)).hasSizeBetween(2, 6);
  }
}
