// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.text;

import dev.perdure.server.cli.client.Census;
import dev.perdure.server.cli.client.Count;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** How far tasks have come, told to a person. */
public final class WatchText {

  private static final int NARROWEST_BAR = 10;
  private static final int PROGRESS_COLUMNS = 10;
  private static final int KIND_COLUMNS = 14;

  private WatchText() {}

  /** In one line. */
  public static String line(Census census) {
    String counts =
        census.byStatus().entrySet().stream()
            .filter(entry -> !entry.getValue().isNone())
            .map(entry -> count(entry.getValue()) + " " + entry.getKey())
            .collect(Collectors.joining(", "));
    return summary(census) + (counts.isEmpty() ? "" : ": " + counts) + paused(census);
  }

  /** Apart from the statuses, which count a paused task too. */
  private static String paused(Census census) {
    return census.paused().isNone() ? "" : "; " + count(census.paused()) + " of them paused";
  }

  /** With bars, to be looked at while it changes. */
  public static void print(Page page, Census census, String title, Duration sofar) {
    page.heading(title);
    String end = " %3d %%  %s, %s".formatted(percent(census), summary(census), When.length(sofar));
    List<Piece> bar = bar(census, Math.max(NARROWEST_BAR, page.width() - end.length()));
    bar.add(Piece.of(end));
    page.line(bar);
    counts(page, census);
    running(page, census);
    Unclaimed.hint(census.pending(), census.at())
        .ifPresent(
            hint -> {
              page.blank();
              page.paragraph(hint, Tone.WARNING);
            });
  }

  private static String summary(Census census) {
    return "%s of %s ended".formatted(count(census.ended()), count(census.total()));
  }

  private static String count(Count count) {
    return Numbers.count(count.number()) + (count.more() ? "+" : "");
  }

  /** 100 only when all have ended. */
  private static long percent(Census census) {
    long total = census.total().number();
    long percent = total == 0 ? 100 : 100 * census.ended().number() / total;
    return census.live().isNone() ? percent : Math.min(99, percent);
  }

  private static List<Piece> bar(Census census, int columns) {
    List<Piece> bar = new ArrayList<>();
    long total = Math.max(1, census.total().number());
    long before = 0;
    int drawn = 0;
    for (String status : Census.ENDED) {
      before += census.count(status).number();
      int until = (int) Math.min(columns, columns * before / total);
      bar.add(Piece.of("█".repeat(Math.max(0, until - drawn)), TaskWords.tone(status)));
      drawn = Math.max(drawn, until);
    }
    bar.add(Piece.of("░".repeat(Math.max(0, columns - drawn)), Tone.FAINT));
    return bar;
  }

  private static void counts(Page page, Census census) {
    List<Piece> line = new ArrayList<>();
    int columns = 0;
    for (var entry : census.byStatus().entrySet()) {
      if (entry.getValue().isNone()) {
        continue;
      }
      Piece piece =
          Piece.of(count(entry.getValue()) + " " + entry.getKey(), TaskWords.tone(entry.getKey()));
      if (columns > 0 && columns + 2 + piece.columns() > page.width()) {
        page.line(line);
        line.clear();
        columns = 0;
      }
      line.add(Piece.space(columns == 0 ? 0 : 2));
      line.add(piece);
      columns += (columns == 0 ? 0 : 2) + piece.columns();
    }
    line.add(Piece.of(paused(census), Tone.FAINT));
    page.line(line);
  }

  private static void running(Page page, Census census) {
    List<Shown> tasks = census.running().stream().map(Shown::new).toList();
    if (tasks.isEmpty()) {
      return;
    }
    page.blank();
    new FittedTable<Shown>()
        .left("running", task -> task.piece("id"))
        .left("kind", task -> FittedTable.cut(task.piece("kind"), KIND_COLUMNS))
        .left("time", task -> Piece.of(TaskWords.when(task, census.at())))
        .left("progress", task -> Piece.of(progress(task), Tone.ACCENT))
        .right("attempt", task -> task.piece("attempt"))
        .text("name", task -> task.piece("name"))
        .print(page, tasks);
  }

  private static String progress(Shown task) {
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
