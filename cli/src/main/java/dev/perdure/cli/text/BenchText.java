// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.client.LoadGenerator;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/** What was measured, told to a person. */
public final class BenchText {

  private static final double NANOS_PER_MILLI = 1e6;
  private static final int LABEL = 22;
  private static final int MIN_BAR_WIDTH = 10;
  private static final double HALF = 0.5;

  private BenchText() {}

  /**
   * The median of the rounds, and the least and the most.
   *
   * @param tasks in each of them
   */
  public static void print(
      TerminalWriter terminalWriter, List<LoadGenerator.Round> rounds, int tasks) {
    terminalWriter.paragraph(
        "%s of %s each: median (least–most)"
            .formatted(
                NumberFormatting.count(rounds.size(), "round", "rounds"),
                NumberFormatting.count(tasks, "task", "tasks")));
    terminalWriter.blank();
    field(
        terminalWriter,
        "submitted a second",
        rounds,
        LoadGenerator.Round::submittedPerSecond,
        BenchText::whole);
    field(
        terminalWriter,
        "settled a second",
        rounds,
        LoadGenerator.Round::settledPerSecond,
        BenchText::whole);
    field(
        terminalWriter,
        "POST, p50 in ms",
        rounds,
        round -> millis(round.median()),
        BenchText::tenths);
    field(
        terminalWriter, "POST, p99 in ms", rounds, round -> millis(round.p99()), BenchText::tenths);
  }

  /** One round in a line. */
  public static void round(TerminalWriter terminalWriter, int number, LoadGenerator.Round round) {
    terminalWriter.paragraph(
        "round %d: %s submitted a second, %s settled a second"
            .formatted(number, whole(round.submittedPerSecond()), whole(round.settledPerSecond())));
  }

  /**
   * The rounds so far, and the next.
   *
   * @param name of the next
   * @param done the share of it that is
   */
  public static void progress(
      TerminalWriter terminalWriter, List<LoadGenerator.Round> rounds, String name, double done) {
    for (int i = 0; i < rounds.size(); i++) {
      round(terminalWriter, i + 1, rounds.get(i));
    }
    String begin = name + "  ";
    String end =
        String.format(
            Locale.ROOT, " %3.0f %%  %-10s", 100 * done, done <= HALF ? "submitting" : "settling");
    int columns = Math.max(MIN_BAR_WIDTH, terminalWriter.width() - begin.length() - end.length());
    int filled = (int) (columns * done);
    terminalWriter.line(
        StyledText.of(begin),
        StyledText.of("█".repeat(filled), AnsiStyle.ACCENT),
        StyledText.of("░".repeat(columns - filled), AnsiStyle.FAINT),
        StyledText.of(end));
  }

  private static double millis(Duration length) {
    return length.toNanos() / NANOS_PER_MILLI;
  }

  private static String whole(double number) {
    return NumberFormatting.count(Math.round(number));
  }

  private static String tenths(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }

  private static void field(
      TerminalWriter terminalWriter,
      String label,
      List<LoadGenerator.Round> rounds,
      ToDoubleFunction<LoadGenerator.Round> figure,
      DoubleFunction<String> words) {
    List<String> sorted = rounds.stream().mapToDouble(figure).sorted().mapToObj(words).toList();
    terminalWriter.field(
        label,
        LABEL,
        "%s (%s–%s)".formatted(sorted.get(sorted.size() / 2), sorted.getFirst(), sorted.getLast()));
  }
}
