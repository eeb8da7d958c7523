// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.cli.chart.TimeScale;
import dev.perdure.policy.explain.Timeline;
import java.time.Duration;
import java.util.Arrays;

/** Draws bars from the earliest to the latest time of a retry, with its expected time marked. */
final class DelayRangeBars {

  private static final char WINDOW = '░';
  private static final char EXPECTED = '█';
  private static final int COLUMNS_PER_TICK = 7;

  private final TimeScale scale;
  private final int columns;

  DelayRangeBars(TimeScale scale, int columns) {
    this.scale = scale;
    this.columns = columns;
  }

  StyledText bar(Timeline.Range when) {
    char[] cells = new char[columns];
    Arrays.fill(cells, ' ');
    Arrays.fill(cells, cell(when.earliest()), cell(when.latest()) + 1, WINDOW);
    cells[cell(when.expected())] = EXPECTED;
    return StyledText.of(new String(cells), AnsiStyle.ACCENT);
  }

  /** Round times below the bars; each label starts in the cell it names. */
  StyledText axis() {
    StringBuilder axis = new StringBuilder();
    for (Duration tick : scale.ticks(Math.max(2, columns / COLUMNS_PER_TICK))) {
      String label = "╵" + ShortDuration.of(tick);
      int start = cell(tick);
      boolean apart = axis.isEmpty() || start > axis.length();
      if (apart && start + label.length() <= columns) {
        axis.append(" ".repeat(start - axis.length())).append(label);
      }
    }
    return StyledText.of(axis.toString(), AnsiStyle.FAINT);
  }

  private int cell(Duration time) {
    return (int) Math.round(scale.position(time) * (columns - 1));
  }
}
