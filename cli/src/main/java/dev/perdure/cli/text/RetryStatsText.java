// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.client.RetryStats;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints retry statistics for people. */
public final class RetryStatsText {

  private static final int LABEL_COLUMNS = 16;

  private RetryStatsText() {}

  public static void print(TerminalWriter writer, RetryStats stats) {
    field(
        writer,
        "waiting",
        "%s, %s due now"
            .formatted(
                NumberFormatting.count(stats.pending(), "retry", "retries"),
                NumberFormatting.count(stats.due())));
    field(writer, "by kind", counts(stats.byKind()));
    field(writer, "by backoff", counts(stats.byStrategy()));
    Double rate = stats.successRate();
    field(
        writer,
        "success rate",
        rate == null ? "" : String.format(Locale.ROOT, "%.1f %% of the tasks with a retry", rate));
    field(
        writer,
        "average delay",
        stats.averageDelay() == null ? "" : ShortDuration.of(stats.averageDelay()));
    field(writer, "exhausted", NumberFormatting.count(stats.exhausted(), "task", "tasks"));
  }

  private static String counts(Map<String, Long> counts) {
    return counts.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .map(entry -> entry.getKey() + " " + NumberFormatting.count(entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static void field(TerminalWriter writer, String label, String text) {
    if (!text.isEmpty()) {
      writer.field(label, LABEL_COLUMNS, text);
    }
  }
}
