// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.text;

import dev.perdure.server.cli.client.Load;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What was measured, told to a person. */
public final class BenchText {

  private static final double NANOS_PER_MILLI = 1e6;
  private static final int LABEL = 22;

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
    field(page, "submitted a second", rounds, Load.Round::submitted, "%,.0f");
    field(page, "settled a second", rounds, Load.Round::settled, "%,.0f");
    field(page, "POST, p50 in ms", rounds, round -> millis(round.median().toNanos()), "%.1f");
    field(page, "POST, p99 in ms", rounds, round -> millis(round.p99().toNanos()), "%.1f");
  }

  private static double millis(long nanos) {
    return nanos / NANOS_PER_MILLI;
  }

  private static void field(
      Page page,
      String label,
      List<Load.Round> rounds,
      ToDoubleFunction<Load.Round> figure,
      String form) {
    List<String> sorted =
        rounds.stream()
            .mapToDouble(figure)
            .sorted()
            .mapToObj(number -> String.format(Locale.ROOT, form, number))
            .toList();
    page.field(
        label,
        LABEL,
        "%s (%s–%s)".formatted(sorted.get(sorted.size() / 2), sorted.getFirst(), sorted.getLast()));
  }
}
