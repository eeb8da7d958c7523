// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {

  @ParameterizedTest
  @CsvSource({
    "0s,PT0S",
    "1ms,PT0.001S",
    "250ms,PT0.25S",
    "90s,PT1M30S",
    "5m,PT5M",
    "2h,PT2H",
    "7d,PT168H",
    "2w,PT336H",
    "007s,PT7S",
    "999999999999999ms,PT277777777H46M39.999S",
    "PT5M,PT5M",
    "pt5m,PT5M",
    "P2DT3H,PT51H",
    "PT0.5S,PT0.5S",
  })
  void parses_every_unit_and_iso(String text, Duration expected) {
    assertThat(DurationText.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "5",
        "300",
        "-5s",
        "+5s",
        "1.5s",
        "1,5s",
        "5 s",
        " 5s",
        "5s ",
        "5S",
        "5min",
        "5y",
        "s",
        "1h30m",
        "٥s",
        "P",
        "PT",
        "P1Y",
        "PT5",
        "T5M",
        "+PT5M",
        "-PT-5M",
        "1000000000000000ms",
        "999999999999999w",
        "999999999999999m",
        "PT9223372036854775807H",
        "PT00000000000000000000000000000000000005M"
      })
  void rejects_everything_else_and_lists_the_accepted_forms(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationText.parse(text))
        .withMessage(
            "'%s' is not a duration: write it as \"250ms\", \"90s\", \"5m\", \"2h\", \"7d\", \"2w\" or \"PT5M\"",
            text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT-5M", "PT1H-61M", "P-1D", "-PT5M"})
  void rejects_negative_iso_durations(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationText.parse(text))
        .withMessageContaining("is not a duration");
  }

  @Test
  void accepts_iso_up_to_forty_characters() {
    String forty = "PT" + "0".repeat(36) + "5M";

    assertThat(forty).hasSize(40);
    assertThat(DurationText.parse(forty)).isEqualTo(Duration.ofMinutes(5));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationText.parse(forty.replace("5M", "05M")));
  }

  @Test
  void quotes_only_the_start_of_a_long_text_and_no_control_characters() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationText.parse("x\n".repeat(1_000)))
        .withMessageStartingWith("'" + "x?".repeat(30) + "…' is not");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S,0s",
    "PT0.001S,1ms",
    "PT1.5S,1500ms",
    "PT1S,1s",
    "PT59S,59s",
    "PT90S,90s",
    "PT1M,1m",
    "PT90M,90m",
    "PT1H,1h",
    "PT36H,36h",
    "PT24H,1d",
    "PT336H,14d",
    "PT0.0000005S,PT0.0000005S",
    "PT1.0000001S,PT1.0000001S",
    "PT-5S,PT-5S",
    "PT-0.005S,PT-0.005S",
  })
  void formats_with_the_largest_unit_that_divides_the_duration(Duration duration, String expected) {
    assertThat(DurationText.format(duration)).isEqualTo(expected);
  }

  @Test
  void parses_what_it_formats() {
    SeededChecks.each(
        5_000,
        random -> {
          long seconds = random.nextLong() >>> random.nextInt(1, 64);
          Duration duration =
              switch (random.nextInt(3)) {
                case 0 -> Duration.ofSeconds(seconds);
                case 1 -> Duration.ofSeconds(seconds, random.nextInt(1_000) * 1_000_000L);
                default -> Duration.ofSeconds(seconds, random.nextInt(1_000_000_000));
              };
          assertThat(DurationText.parse(DurationText.format(duration))).isEqualTo(duration);
        });
  }
}
