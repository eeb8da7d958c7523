// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.cli.chart.LoadCurve;
import dev.perdure.policy.DurationText;
import dev.perdure.policy.simulate.OutageResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A chart of the attempts per second, three lines high. The lower two lines reach up to the
 * capacity and the upper one from there to the top, so that the capacity is visible at any load.
 */
final class LoadChart {

  static final int LINES = 3;

  private static final String BLOCKS = " ▁▂▃▄▅▆▇█";
  private static final int LEVELS = BLOCKS.length() - 1;
  private static final int LINES_TO_CAPACITY = 2;
  private static final String CAPACITY = "╌";

  private final int top;
  private final int columns;

  /** A chart that reaches up to {@code top} attempts a second. */
  LoadChart(int top, int columns) {
    this.top = top;
    this.columns = columns;
  }

  /** One line of the chart, counted from the top. */
  List<StyledText> line(LoadCurve curve, int line) {
    int capacity = curve.scenario().capacity();
    int floor = (LINES - 1 - line) * LEVELS;
    boolean aboveCapacity = line == LINES - LINES_TO_CAPACITY - 1;
    int[] peaks = curve.peaks(OutageResult.Second::sent, columns);
    List<StyledText> cells = new ArrayList<>();
    for (int column = 0; column < columns; column++) {
      int sent = peaks[column * peaks.length / columns];
      int blocks = Math.clamp(level(sent, capacity) - floor, 0, LEVELS);
      if (blocks == 0 && aboveCapacity) {
        cells.add(StyledText.of(CAPACITY, AnsiStyle.FAINT));
      } else {
        AnsiStyle style = sent > capacity ? AnsiStyle.BAD : AnsiStyle.ACCENT;
        cells.add(StyledText.of(BLOCKS.substring(blocks, blocks + 1), style));
      }
    }
    return StyledText.joined(cells);
  }

  /** Marks the outage below the lines. */
  StyledText axis(LoadCurve curve) {
    int start = column(curve, curve.outageStart());
    int end = Math.max(start + 1, column(curve, curve.outageEnd()));
    String label = " outage of " + DurationText.format(curve.scenario().outage());
    String mark = " ".repeat(start) + "▔".repeat(end - start);
    return StyledText.of(
        mark.length() + label.length() <= columns ? mark + label : mark, AnsiStyle.WARNING);
  }

  private int column(LoadCurve curve, Duration time) {
    return (int) (time.toMillis() * columns / curve.length().toMillis());
  }

  private int level(int perSecond, int capacity) {
    double lines =
        perSecond <= capacity
            ? LINES_TO_CAPACITY * (double) perSecond / capacity
            : LINES_TO_CAPACITY
                + (LINES - LINES_TO_CAPACITY) * (double) (perSecond - capacity) / (top - capacity);
    return (int) Math.ceil(lines * LEVELS);
  }
}
