// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.cli.bench.LoadGenerator;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/** Prints the results of a benchmark for people. */
public final class BenchText {

  private static final double NANOS_PER_MILLI = 1e6;
  private static final int LABEL = 22;
  private static final int MIN_BAR_WIDTH = 10;
  private static final double HALF = 0.5;

  private BenchText() {}

  /**
   * The median of the rounds, with minimum and maximum.
   *
   * @param tasks the number of tasks in each round
   */
  public static void print(TerminalWriter writer, List<LoadGenerator.Round> rounds, int tasks) {
    writer.paragraph(
        "%s of %s each: median (min–max)"
            .formatted(
                NumberFormatting.count(rounds.size(), "round", "rounds"),
                NumberFormatting.count(tasks, "task", "tasks")));
    writer.blank();
    field(
        writer,
        "submitted per second",
        rounds,
        LoadGenerator.Round::submittedPerSecond,
        BenchText::whole);
    field(
        writer,
        "settled per second",
        rounds,
        LoadGenerator.Round::settledPerSecond,
        BenchText::whole);
    field(writer, "POST p50 in ms", rounds, round -> millis(round.median()), BenchText::tenths);
    field(writer, "POST p99 in ms", rounds, round -> millis(round.p99()), BenchText::tenths);
  }

  /** One round in a line. */
  public static void round(TerminalWriter writer, int number, LoadGenerator.Round round) {
    writer.paragraph(
        "round %d: %s submitted per second, %s settled per second"
            .formatted(number, whole(round.submittedPerSecond()), whole(round.settledPerSecond())));
  }

  /**
   * The rounds so far, and the progress of the current one.
   *
   * @param name the name of the current round
   * @param done the share of it that is done
   */
  public static void progress(
      TerminalWriter writer, List<LoadGenerator.Round> rounds, String name, double done) {
    for (int i = 0; i < rounds.size(); i++) {
      round(writer, i + 1, rounds.get(i));
    }
    String begin = name + "  ";
    String end =
        String.format(
            Locale.ROOT, " %3.0f %%  %-10s", 100 * done, done <= HALF ? "submitting" : "settling");
    int columns = Math.max(MIN_BAR_WIDTH, writer.width() - begin.length() - end.length());
    int filled = (int) (columns * done);
    writer.line(
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
      TerminalWriter writer,
      String label,
      List<LoadGenerator.Round> rounds,
      ToDoubleFunction<LoadGenerator.Round> value,
      DoubleFunction<String> format) {
    List<String> sorted = rounds.stream().mapToDouble(value).sorted().mapToObj(format).toList();
    writer.field(
        label,
        LABEL,
        "%s (%s–%s)".formatted(sorted.get(sorted.size() / 2), sorted.getFirst(), sorted.getLast()));
  }
}
