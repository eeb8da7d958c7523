// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.cli.chart.TimeScale;
import dev.perdure.policy.explain.Timeline;
import java.util.ArrayList;
import java.util.List;

/** One line per retry: a table row, and a bar beside it where there is room. */
final class TimelineLines {

  private static final int GAP = 2;
  private static final int MIN_BAR_WIDTH = 10;

  private final List<Timeline.Retry> retries;
  private final Table table;
  private final TimeScale scale;
  private final int barColumns;

  TimelineLines(List<Timeline.Retry> retries, int width) {
    this.retries = retries;
    this.table = new TimelineColumns(retries, width).table(retries);
    this.scale = TimeScale.over(retries);
    this.barColumns = width - table.width() - GAP;
  }

  int count() {
    return retries.size();
  }

  List<StyledText> title() {
    String kind = scale.logarithmic() ? " (log)" : "";
    String title = "since the first failure" + kind;
    return beside(
        0, StyledText.of(title.length() <= barColumns ? title : "when" + kind, AnsiStyle.FAINT));
  }

  /** The line of a retry, counted from 0. */
  List<StyledText> line(int retry) {
    return beside(retry + 1, bars().bar(retries.get(retry).total()));
  }

  /** Round times below the bars; empty when there are no bars. */
  List<List<StyledText>> axis() {
    StyledText indent = StyledText.space(table.width() + GAP);
    return barColumns < MIN_BAR_WIDTH ? List.of() : List.of(List.of(indent, bars().axis()));
  }

  private DelayRangeBars bars() {
    return new DelayRangeBars(scale, Math.max(1, barColumns));
  }

  private List<StyledText> beside(int row, StyledText right) {
    List<StyledText> line = new ArrayList<>(table.line(row));
    if (barColumns >= MIN_BAR_WIDTH) {
      line.add(StyledText.space(GAP));
      line.add(right);
    }
    return line;
  }
}
