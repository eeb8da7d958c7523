// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.text;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.simulate.Run;
import dev.perdure.server.cli.chart.Course;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What was sent per second, drawn three lines high. The lower two lines reach to the capacity and
 * the upper one from there to the top, so that the capacity can be seen however high the load is.
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

  /** One of its lines, counted from the top. */
  List<Piece> line(Course course, int line) {
    int capacity = course.scenario().capacity();
    int floor = (LINES - 1 - line) * LEVELS;
    boolean aboveCapacity = line == LINES - LINES_TO_CAPACITY - 1;
    int[] peaks = course.peaks(Run.Second::sent, columns);
    List<Piece> cells = new ArrayList<>();
    for (int column = 0; column < columns; column++) {
      int sent = peaks[column * peaks.length / columns];
      int blocks = Math.clamp(level(sent, capacity) - floor, 0, LEVELS);
      if (blocks == 0 && aboveCapacity) {
        cells.add(Piece.of(CAPACITY, Tone.FAINT));
      } else {
        Tone tone = sent > capacity ? Tone.BAD : Tone.ACCENT;
        cells.add(Piece.of(BLOCKS.substring(blocks, blocks + 1), tone));
      }
    }
    return Piece.joined(cells);
  }

  /** Marks the outage below the lines. */
  Piece axis(Course course) {
    int start = column(course, course.outageStart());
    int end = Math.max(start + 1, column(course, course.outageEnd()));
    String label = " outage of " + DurationText.format(course.scenario().outage());
    String mark = " ".repeat(start) + "▔".repeat(end - start);
    return Piece.of(mark.length() + label.length() <= columns ? mark + label : mark, Tone.WARNING);
  }

  private int column(Course course, Duration time) {
    return (int) (time.toMillis() * columns / course.length().toMillis());
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
