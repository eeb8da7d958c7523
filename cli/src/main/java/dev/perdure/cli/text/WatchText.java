// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.client.CappedCount;
import dev.perdure.client.StatusCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** How far tasks have come, told to a person. */
public final class WatchText {

  private static final int MIN_BAR_WIDTH = 10;
  private static final int PROGRESS_COLUMNS = 10;
  private static final int KIND_COLUMNS = 14;

  private WatchText() {}

  /** In one line. */
  public static String line(StatusCounts statusCounts) {
    String counts =
        statusCounts.byStatus().entrySet().stream()
            .filter(entry -> !entry.getValue().isZero())
            .map(entry -> count(entry.getValue()) + " " + entry.getKey())
            .collect(Collectors.joining(", "));
    return summary(statusCounts) + (counts.isEmpty() ? "" : ": " + counts) + paused(statusCounts);
  }

  /** Apart from the statuses, which count a paused task too. */
  private static String paused(StatusCounts statusCounts) {
    return statusCounts.paused().isZero()
        ? ""
        : "; " + count(statusCounts.paused()) + " of them paused";
  }

  /** With bars, to be looked at while it changes. */
  public static void print(
      TerminalWriter terminalWriter, StatusCounts statusCounts, String title, Duration sofar) {
    terminalWriter.heading(title);
    String end =
        " %3d %%  %s, %s"
            .formatted(percent(statusCounts), summary(statusCounts), RelativeTime.length(sofar));
    List<StyledText> bar =
        bar(statusCounts, Math.max(MIN_BAR_WIDTH, terminalWriter.width() - end.length()));
    bar.add(StyledText.of(end));
    terminalWriter.line(bar);
    counts(terminalWriter, statusCounts);
    running(terminalWriter, statusCounts);
    UnclaimedHint.of(statusCounts.pending(), statusCounts.at())
        .ifPresent(
            hint -> {
              terminalWriter.blank();
              terminalWriter.paragraph(hint, AnsiStyle.WARNING);
            });
  }

  private static String summary(StatusCounts statusCounts) {
    return "%s of %s ended".formatted(count(statusCounts.ended()), count(statusCounts.total()));
  }

  private static String count(CappedCount cappedCount) {
    return NumberFormatting.count(cappedCount.value()) + (cappedCount.capped() ? "+" : "");
  }

  /** 100 only when all have ended. */
  private static long percent(StatusCounts statusCounts) {
    long total = statusCounts.total().value();
    long percent = total == 0 ? 100 : 100 * statusCounts.ended().value() / total;
    return statusCounts.live().isZero() ? percent : Math.min(99, percent);
  }

  private static List<StyledText> bar(StatusCounts statusCounts, int columns) {
    List<StyledText> bar = new ArrayList<>();
    long total = Math.max(1, statusCounts.total().value());
    long before = 0;
    int drawn = 0;
    for (String status : StatusCounts.ENDED) {
      before += statusCounts.count(status).value();
      int until = (int) Math.min(columns, columns * before / total);
      bar.add(StyledText.of("█".repeat(Math.max(0, until - drawn)), TaskLabels.style(status)));
      drawn = Math.max(drawn, until);
    }
    bar.add(StyledText.of("░".repeat(Math.max(0, columns - drawn)), AnsiStyle.FAINT));
    return bar;
  }

  private static void counts(TerminalWriter terminalWriter, StatusCounts statusCounts) {
    List<StyledText> line = new ArrayList<>();
    int columns = 0;
    for (var entry : statusCounts.byStatus().entrySet()) {
      if (entry.getValue().isZero()) {
        continue;
      }
      StyledText styledText =
          StyledText.of(
              count(entry.getValue()) + " " + entry.getKey(), TaskLabels.style(entry.getKey()));
      if (columns > 0 && columns + 2 + styledText.columns() > terminalWriter.width()) {
        terminalWriter.line(line);
        line.clear();
        columns = 0;
      }
      line.add(StyledText.space(columns == 0 ? 0 : 2));
      line.add(styledText);
      columns += (columns == 0 ? 0 : 2) + styledText.columns();
    }
    line.add(StyledText.of(paused(statusCounts), AnsiStyle.FAINT));
    terminalWriter.line(line);
  }

  private static void running(TerminalWriter terminalWriter, StatusCounts statusCounts) {
    List<JsonView> tasks = statusCounts.running().stream().map(JsonView::new).toList();
    if (tasks.isEmpty()) {
      return;
    }
    terminalWriter.blank();
    new FittedTable<JsonView>()
        .left("running", task -> task.piece("id"))
        .left("kind", task -> FittedTable.truncate(task.piece("kind"), KIND_COLUMNS))
        .left("time", task -> StyledText.of(TaskLabels.when(task, statusCounts.at())))
        .left("progress", task -> StyledText.of(progress(task), AnsiStyle.ACCENT))
        .right("attempt", task -> task.piece("attempt"))
        .text("name", task -> task.piece("name"))
        .print(terminalWriter, tasks);
  }

  private static String progress(JsonView task) {
    long expected = task.number("expected_count");
    if (expected <= 0) {
      return "";
    }
    long done = Math.min(expected, task.number("success") + task.number("failures"));
    int columns = (int) (PROGRESS_COLUMNS * done / expected);
    return "%s%s %d %%"
        .formatted(
            "█".repeat(columns), "░".repeat(PROGRESS_COLUMNS - columns), 100 * done / expected);
  }
}
