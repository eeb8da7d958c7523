// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.text;

import dev.perdure.server.cli.client.Load;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/** What was measured, told to a person. */
public final class BenchText {

  private static final double NANOS_PER_MILLI = 1e6;
  private static final int LABEL = 22;
  private static final int NARROWEST_BAR = 10;
  private static final double HALF = 0.5;

  private BenchText() {}

  /**
   * The median of the rounds, and the least and the most.
   *
   * @param tasks in each of them
   */
  public static void print(Page page, List<Load.Round> rounds, int tasks) {
    page.paragraph(
        "%s of %s each: median (least–most)"
            .formatted(
                Numbers.count(rounds.size(), "round", "rounds"),
                Numbers.count(tasks, "task", "tasks")));
    page.blank();
    field(page, "submitted a second", rounds, Load.Round::submitted, BenchText::whole);
    field(page, "settled a second", rounds, Load.Round::settled, BenchText::whole);
    field(page, "POST, p50 in ms", rounds, round -> millis(round.median()), BenchText::tenths);
    field(page, "POST, p99 in ms", rounds, round -> millis(round.p99()), BenchText::tenths);
  }

  /** One round in a line. */
  public static void round(Page page, int number, Load.Round round) {
    page.paragraph(
        "round %d: %s submitted a second, %s settled a second"
            .formatted(number, whole(round.submitted()), whole(round.settled())));
  }

  /**
   * The rounds so far, and the next.
   *
   * @param name of the next
   * @param done the share of it that is
   */
  public static void progress(Page page, List<Load.Round> rounds, String name, double done) {
    for (int i = 0; i < rounds.size(); i++) {
      round(page, i + 1, rounds.get(i));
    }
    String begin = name + "  ";
    String end =
        String.format(
            Locale.ROOT, " %3.0f %%  %-10s", 100 * done, done <= HALF ? "submitting" : "settling");
    int columns = Math.max(NARROWEST_BAR, page.width() - begin.length() - end.length());
    int filled = (int) (columns * done);
    page.line(
        Piece.of(begin),
        Piece.of("█".repeat(filled), Tone.ACCENT),
        Piece.of("░".repeat(columns - filled), Tone.FAINT),
        Piece.of(end));
  }

  private static double millis(Duration length) {
    return length.toNanos() / NANOS_PER_MILLI;
  }

  private static String whole(double number) {
    return Numbers.count(Math.round(number));
  }

  private static String tenths(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }

  private static void field(
      Page page,
      String label,
      List<Load.Round> rounds,
      ToDoubleFunction<Load.Round> figure,
      DoubleFunction<String> words) {
    List<String> sorted = rounds.stream().mapToDouble(figure).sorted().mapToObj(words).toList();
    page.field(
        label,
        LABEL,
        "%s (%s–%s)".formatted(sorted.get(sorted.size() / 2), sorted.getFirst(), sorted.getLast()));
  }
}
