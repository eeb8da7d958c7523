// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.text;

import dev.perdure.policy.explain.Timeline;
import dev.perdure.server.cli.chart.TimeScale;
import java.util.ArrayList;
import java.util.List;

/** Retries as lines: a table, and beside it a bar for each where there is room. */
final class TimelineLines {

  private static final int GAP = 2;
  private static final int NARROWEST_BARS = 10;

  private final List<Timeline.Retry> retries;
  private final Table table;
  private final TimeScale scale;
  private final int room;

  TimelineLines(List<Timeline.Retry> retries, int width) {
    this.retries = retries;
    this.table = new TimelineColumns(retries, width).table(retries);
    this.scale = TimeScale.over(retries);
    this.room = width - table.width() - GAP;
  }

  int count() {
    return retries.size();
  }

  List<Piece> title() {
    String kind = scale.logarithmic() ? " (log)" : "";
    String title = "since the first failure" + kind;
    return beside(0, Piece.of(title.length() <= room ? title : "when" + kind, Tone.FAINT));
  }

  /** The line of a retry, counted from 0. */
  List<Piece> line(int retry) {
    return beside(retry + 1, bars().bar(retries.get(retry).total()));
  }

  /** Round times below the bars; nothing where there are none. */
  List<List<Piece>> axis() {
    Piece indent = Piece.space(table.width() + GAP);
    return room < NARROWEST_BARS ? List.of() : List.of(List.of(indent, bars().axis()));
  }

  private WindowBars bars() {
    return new WindowBars(scale, Math.max(1, room));
  }

  private List<Piece> beside(int row, Piece right) {
    List<Piece> line = new ArrayList<>(table.line(row));
    if (room >= NARROWEST_BARS) {
      line.add(Piece.space(GAP));
      line.add(right);
    }
    return line;
  }
}
