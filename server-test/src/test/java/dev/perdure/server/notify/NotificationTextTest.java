// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.notify.ChannelRateLimit.PendingSummary;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class NotificationTextTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void a_summary_counts_what_was_left_out_the_worst_first() {
    PendingSummary summary =
        new PendingSummary(
            new UUID(0, 1),
            NOON,
            Map.of(
                NotifyEvent.SUCCESS, 1L,
                NotifyEvent.RETRY, 2L,
                NotifyEvent.EXHAUSTED, 12L,
                NotifyEvent.FAILURE, 120L));

    assertThat(NotificationText.ofSummary(summary, NOON.plusSeconds(61)))
        .isEqualTo(
            "… and 135 more in the last minute: 120 failed, 12 exhausted, 2 retried, 1 succeeded");
    assertThat(NotificationText.ofSummary(summary, NOON.plusSeconds(3_600)))
        .startsWith("… and 135 more since 2026-03-01 12:00:00 UTC: 120 failed");
  }

  @Test
  void a_reason_is_one_line_without_secrets() {
    assertThat(NotificationText.line("no\r\n\tluck \u0007 at all")).isEqualTo("no luck at all");
    assertThat(NotificationText.line("password=hunter2 rejected")).isEqualTo("password=… rejected");
  }

  @Test
  void a_long_reason_that_begins_with_nothing_readable_is_only_marked_as_cut() {
    assertThat(NotificationText.line(" ".repeat(2_000) + "no luck")).isEqualTo("…");
    assertThat(NotificationText.line("\u0000\n".repeat(2_000))).isEqualTo("…");
    assertThat(NotificationText.line(" ".repeat(2_000))).isEmpty();
  }

  @Test
  void a_long_reason_is_cut_between_characters() {
    String cut = NotificationText.line("x".repeat(999) + "😀" + "y".repeat(50_000));

    assertThat(cut).isEqualTo("x".repeat(999) + "…");
    assertThat(NotificationText.line("z".repeat(1_000))).hasSize(1_000).doesNotContain("…");
  }
}
