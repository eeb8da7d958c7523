// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.DurationText;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShortDurationTest {

  @ParameterizedTest
  @CsvSource({
    "0s, 0s",
    "1ms, 1ms",
    "999ms, 999ms",
    "1s, 1s",
    "1500ms, 1.5s",
    "1256ms, 1.26s",
    "12345ms, 12.3s",
    "20s, 20s",
    "59949ms, 59.9s",
    "59951ms, 1m",
    "90s, 1m 30s",
    "600s, 10m",
    "3599s, 59m 59s",
    "3599600ms, 1h",
    "3661s, 1h 1m",
    "86399s, 1d",
    "25h, 1d 1h",
    "2399h, 99d 23h",
    "100d, 100d",
    "3650d, 3650d"
  })
  void keeps_the_two_largest_units(String exact, String brief) {
    assertThat(ShortDuration.of(DurationText.parse(exact))).isEqualTo(brief);
  }

  @ParameterizedTest
  @CsvSource({"59999ms", "3599999ms", "86399999ms"})
  void never_prints_sixty_of_a_unit(String exact) {
    Duration duration = DurationText.parse(exact);

    assertThat(ShortDuration.of(duration)).isEqualTo(ShortDuration.of(duration.plusMillis(1)));
  }
}
