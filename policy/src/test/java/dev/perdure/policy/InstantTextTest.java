// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class InstantTextTest {

  @ParameterizedTest
  @CsvSource({
    "2026-03-01T12:00:00Z, 2026-03-01T12:00:00.000Z",
    "2026-03-01T12:00:00.5Z, 2026-03-01T12:00:00.500Z",
    "2026-03-01T12:00:00.123456789Z, 2026-03-01T12:00:00.123Z",
    "1969-12-31T23:59:59.9999Z, 1969-12-31T23:59:59.999Z",
    "+10000-01-01T00:00:00Z, +10000-01-01T00:00:00.000Z"
  })
  void every_instant_has_three_decimals(Instant instant, String text) {
    assertThat(InstantText.of(instant)).isEqualTo(text);
  }

  @Test
  void the_first_and_the_last_instant_can_be_read_again() {
    assertThat(Instant.parse(InstantText.of(Instant.MIN))).isEqualTo(Instant.MIN);
    assertThat(InstantText.of(Instant.MAX)).endsWith(":59.999Z");
  }

  @Test
  void no_instant_has_no_text() {
    assertThat(InstantText.of(null)).isNull();
  }
}
