// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationHistogramTest {

  @ParameterizedTest
  @CsvSource({
    "-PT1S, 0", "PT0S, 0", "PT0.0039S, 0", "PT0.004S, 1", "PT0.007S, 1", "PT0.008S, 2",
    "PT1S, 8", "PT32.767S, 13", "PT32.768S, 14", "PT65.535S, 14", "PT65.536S, 15", "PT70S, 15",
    "P3650000D, 15",
  })
  void each_range_is_twice_as_long_as_the_one_before(Duration duration, int index) {
    assertThat(DurationHistogram.indexOf(duration)).isEqualTo(index);
  }

  @Test
  void the_longest_duration_is_in_the_last_range() {
    assertThat(DurationHistogram.indexOf(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(15);
    assertThat(DurationHistogram.indexOf(Duration.ofSeconds(Long.MIN_VALUE))).isZero();
  }

  @ParameterizedTest
  @CsvSource({"0.5, 4", "0.95, 973", "1.0, 1024", "0.25, 2"})
  void percentiles_are_interpolated_inside_a_range(double part, long millis) {
    DurationHistogram histogram = new DurationHistogram();
    histogram.add(0, 50);
    histogram.add(8, 50);

    // 95 % is nine tenths into the range from 512 ms to 1,024 ms.
    assertThat(histogram.percentileMillis(part)).hasValue(millis);
  }

  @Test
  void the_last_range_counts_as_its_start() {
    DurationHistogram histogram = new DurationHistogram();
    assertThat(histogram.percentileMillis(0.5)).isEmpty();
    histogram.add(15, 1);
    assertThat(histogram.percentileMillis(0.5)).hasValue(65_536);
  }
}
