// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterHeaderTest {

  private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

  @ParameterizedTest
  @CsvSource({"0, 0", "120, 120", " 7 , 7", "007, 7", "999999999999999, 999999999999999"})
  void parses_seconds(String text, long seconds) {
    assertThat(RetryAfterHeader.parse(text, NOW)).contains(ofSeconds(seconds));
  }

  @Test
  void limits_huge_numbers_of_seconds() {
    assertThat(RetryAfterHeader.parse("9".repeat(400), NOW)).contains(Duration.ofDays(36_500));
    assertThat(RetryAfterHeader.parse("1000000000000000", NOW)).contains(Duration.ofDays(36_500));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sun, 15 Nov 2026 12:01:30 GMT",
        "Sunday, 15-Nov-26 12:01:30 GMT",
        "Sun Nov 15 12:01:30 2026"
      })
  void parses_a_date_in_each_format(String text) {
    assertThat(RetryAfterHeader.parse(text, NOW)).contains(ofSeconds(90));
  }

  @Test
  void parses_a_one_digit_day() {
    Instant first = Instant.parse("2026-11-01T00:00:00Z");
    assertThat(RetryAfterHeader.parse("Sun Nov  1 00:00:05 2026", first)).contains(ofSeconds(5));
  }

  @Test
  void a_date_in_the_past_means_no_delay() {
    assertThat(RetryAfterHeader.parse("Sun, 15 Nov 2026 11:59:59 GMT", NOW))
        .contains(Duration.ZERO);
  }

  @Test
  void a_two_digit_year_is_at_most_fifty_years_ahead() {
    assertThat(RetryAfterHeader.parseHttpDate("Sunday, 15-Nov-76 12:00:00 GMT", NOW)).isPresent();
    assertThat(RetryAfterHeader.parseHttpDate("Tuesday, 15-Nov-77 12:00:00 GMT", NOW))
        .hasValueSatisfying(instant -> assertThat(instant).isBefore(NOW));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-1",
        "+5",
        "1.5",
        "30s",
        "soon",
        "Sun, 15 Nov 2026 12:01:30 CET",
        "0x10",
        "１２"
      })
  void ignores_invalid_values(String text) {
    assertThat(RetryAfterHeader.parse(text, NOW)).isEmpty();
  }

  @Test
  void ignores_a_very_long_value() {
    assertThat(RetryAfterHeader.parse("x".repeat(1_000_000), NOW)).isEmpty();
  }

  @Test
  void uses_the_longest_of_several() {
    assertThat(RetryAfterHeader.longest(List.of("5", "nonsense", "60", "7"), NOW))
        .contains(ofSeconds(60));
    assertThat(RetryAfterHeader.longest(List.of(), NOW)).isEmpty();
  }
}
