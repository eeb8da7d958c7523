// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.client.OverviewInfo;
import dev.perdure.client.OverviewInfo.ProblemInfo;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Prints the overview for people: what is wrong, then the numbers. */
public final class OverviewText {

  private static final int LABEL_COLUMNS = 12;

  private OverviewText() {}

  public static void print(TerminalWriter writer, OverviewInfo overview) {
    if (overview.problems().stream().allMatch(problem -> problem.overAt() != null)) {
      writer.paragraph(allIsWell(overview), AnsiStyle.GOOD);
    }
    for (ProblemInfo problem : overview.problems()) {
      Instant overAt = problem.overAt();
      if (overAt != null) {
        String when = RelativeTime.of(overAt, overview.now());
        writer.paragraph("Over, " + when + ": " + problem.text(), AnsiStyle.FAINT);
      } else {
        writer.paragraph(problem.text(), problem.isTrouble() ? AnsiStyle.BAD : AnsiStyle.WARNING);
        if (problem.errorTitle() != null) {
          writer.paragraph("Most often: " + problem.errorTitle(), AnsiStyle.FAINT);
        }
      }
    }
    writer.blank();
    numbers(writer, overview);
  }

  private static String allIsWell(OverviewInfo overview) {
    long succeeded = overview.hour().getOrDefault("succeeded", 0L);
    long ended = succeeded + overview.hour().getOrDefault("failed", 0L);
    return ended == 0
        ? "All is well. No attempt ended in the last hour."
        : "All is well. %s in the last hour, %s succeeded."
            .formatted(
                NumberFormatting.count(ended, "attempt", "attempts"),
                NumberFormatting.percent((double) succeeded / ended));
  }

  private static void numbers(TerminalWriter writer, OverviewInfo overview) {
    String more = overview.capped() ? "+" : "";
    field(
        writer,
        "running",
        "%s of %s slots busy"
            .formatted(count(overview.slots().get("busy")), count(overview.slots().get("of"))));
    field(
        writer,
        "due",
        NumberFormatting.count(overview.due())
            + more
            + relative(", the oldest due ", overview.oldestDueAt(), overview.now()));
    field(
        writer,
        "retries",
        count(overview.live().get("RetryPending"))
            + relative(", the next ", overview.nextRetryAt(), overview.now()));
    field(
        writer,
        "given up",
        "%s tasks (%s in the last hour), %s deliveries (%s)"
            .formatted(
                count(overview.dead().get("tasks")),
                count(overview.dead().get("tasks_1h")),
                count(overview.dead().get("deliveries")),
                count(overview.dead().get("deliveries_1h"))));
    field(
        writer,
        "last hour",
        "%s submitted, %s attempts succeeded, %s failed, %s retries"
            .formatted(
                count(overview.hour().get("submitted")),
                count(overview.hour().get("succeeded")),
                count(overview.hour().get("failed")),
                count(overview.hour().get("retried"))));
  }

  private static String relative(String before, @Nullable Instant then, Instant now) {
    return then == null ? "" : before + RelativeTime.of(then, now);
  }

  private static String count(@Nullable Long number) {
    return NumberFormatting.count(number == null ? 0 : number);
  }

  private static void field(TerminalWriter writer, String label, String text) {
    writer.field(label, LABEL_COLUMNS, text);
  }
}
