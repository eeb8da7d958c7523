// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.cli.graph.TaskGraph;
import dev.perdure.cli.watch.CappedCount;
import dev.perdure.cli.watch.StatusCounts;
import dev.perdure.client.BatchInfo;
import dev.perdure.client.TaskInfo;
import dev.perdure.client.TaskStatus;
import dev.perdure.policy.InstantText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Prints the progress of many tasks for people. */
public final class WatchText {

  private static final int MIN_BAR_WIDTH = 10;
  private static final int PROGRESS_COLUMNS = 10;
  private static final int KIND_COLUMNS = 14;
  private static final int MAX_GRAPH_ROWS = 14;
  private static final int MAX_LINES = 17;

  private WatchText() {}

  /** The progress in one line. */
  public static String line(StatusCounts counts) {
    String byStatus =
        counts.byStatus().entrySet().stream()
            .filter(entry -> !entry.getValue().isZero())
            .map(entry -> count(entry.getValue()) + " " + entry.getKey())
            .collect(Collectors.joining(", "));
    return run(counts)
        + summary(counts)
        + (byStatus.isEmpty() ? "" : ": " + byStatus)
        + nextRun(counts).map(at -> "; it runs again at " + InstantText.of(at)).orElse("");
  }

  private static String run(StatusCounts counts) {
    return counts
        .batch()
        .filter(batch -> batch.run() > 0)
        .map(batch -> "run %d: ".formatted(batch.run()))
        .orElse("");
  }

  private static String runAndName(BatchInfo batch) {
    return (batch.run() > 0 ? ", run %d".formatted(batch.run()) : "")
        + (batch.name() == null ? "" : ": " + batch.name());
  }

  /** When the batch runs again, as its policy has decided. */
  private static Optional<Instant> nextRun(StatusCounts counts) {
    return counts.batch().map(BatchInfo::nextRunAt);
  }

  /** The progress with bars, for a terminal that is redrawn. */
  public static void print(
      TerminalWriter writer, StatusCounts counts, String title, Duration elapsed) {
    writer.heading(title + counts.batch().map(WatchText::runAndName).orElse(""));
    String end =
        " %3d %%  %s, %s".formatted(percent(counts), summary(counts), RelativeTime.length(elapsed));
    List<StyledText> bar = bar(counts, Math.max(MIN_BAR_WIDTH, writer.width() - end.length()));
    bar.add(StyledText.of(end));
    writer.line(bar);
    counts(writer, counts);
    nextRun(counts)
        .ifPresent(
            at ->
                writer.paragraph(
                    "it runs again " + RelativeTime.of(at, counts.at()), AnsiStyle.WARNING));
    counts
        .graph()
        .ifPresentOrElse(graph -> graph(writer, graph, counts.at()), () -> running(writer, counts));
    UnclaimedHint.print(writer, counts.pending(), counts.at());
  }

  private static String summary(StatusCounts counts) {
    return "%s of %s ended".formatted(count(counts.ended()), count(counts.total()));
  }

  private static String count(CappedCount count) {
    return NumberFormatting.count(count.value()) + (count.capped() ? "+" : "");
  }

  /** 100 only when all tasks have ended. */
  private static long percent(StatusCounts counts) {
    long total = counts.total().value();
    long percent = total == 0 ? 100 : 100 * counts.ended().value() / total;
    return counts.live().isZero() ? percent : Math.min(99, percent);
  }

  private static List<StyledText> bar(StatusCounts counts, int columns) {
    Map<TaskStatus, Long> byStatus = new EnumMap<>(TaskStatus.class);
    counts.byStatus().forEach((status, n) -> byStatus.put(TaskStatus.of(status), n.value()));
    return StatusBar.of(byStatus, counts.total().value(), columns);
  }

  private static AnsiStyle style(String status) {
    return TaskLabels.style(TaskStatus.of(status));
  }

  private static void counts(TerminalWriter writer, StatusCounts counts) {
    List<StyledText> pieces = new ArrayList<>();
    counts
        .byStatus()
        .forEach(
            (status, count) -> {
              if (!count.isZero()) {
                pieces.add(StyledText.of(count(count) + " " + status, style(status)));
              }
            });
    StyledText.wrap(List.of(), pieces, writer.width()).forEach(writer::line);
  }

  /** The graph, or its levels; it must fit on a small screen, or it could not be redrawn. */
  private static void graph(TerminalWriter writer, TaskGraph graph, Instant now) {
    writer.blank();
    List<List<StyledText>> lines = GraphText.lines(graph, MAX_GRAPH_ROWS, writer.textWidth(), now);
    lines.stream().limit(MAX_LINES).forEach(writer::line);
    if (lines.size() > MAX_LINES) {
      writer.line(StyledText.of("…", AnsiStyle.FAINT));
    }
  }

  private static void running(TerminalWriter writer, StatusCounts counts) {
    if (counts.running().isEmpty()) {
      return;
    }
    writer.blank();
    new FittedTable<TaskInfo>()
        .left("running", task -> TaskLabels.id(task.id(), writer))
        .left("kind", task -> FittedTable.truncate(StyledText.of(task.kind()), KIND_COLUMNS))
        .left("time", task -> StyledText.of(TaskLabels.when(task, counts.at())))
        .left("progress", task -> StyledText.of(progress(task), AnsiStyle.ACCENT))
        .right("attempt", task -> StyledText.of(Long.toString(task.attempt())))
        .text("name", task -> TaskLabels.text(task.name()))
        .print(writer, counts.running());
  }

  private static String progress(TaskInfo task) {
    Long expected = task.expectedCount();
    if (expected == null || expected <= 0) {
      return "";
    }
    long done = Math.min(expected, task.success() + task.failures());
    int columns = (int) (PROGRESS_COLUMNS * done / expected);
    return "%s%s %d %%"
        .formatted(
            "█".repeat(columns), "░".repeat(PROGRESS_COLUMNS - columns), 100 * done / expected);
  }
}
