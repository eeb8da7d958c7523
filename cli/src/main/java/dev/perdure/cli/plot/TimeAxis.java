// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

import dev.perdure.cli.chart.TimeScale;
import dev.perdure.cli.plot.Canvas.Box;
import dev.perdure.cli.plot.Canvas.Point;
import dev.perdure.cli.text.ShortDuration;
import java.time.Duration;
import java.util.List;

/** Time from left to right across a field. */
final class TimeAxis {

  private static final double PIXELS_PER_TICK = 75;
  private static final double LABEL_DROP = 18;

  private final TimeScale scale;
  private final Box field;

  TimeAxis(TimeScale scale, Box field) {
    this.scale = scale;
    this.field = field;
  }

  double x(Duration time) {
    return field.left() + scale.position(time) * field.width();
  }

  /** Upright lines at round times. */
  void grid(Canvas canvas) {
    for (Duration tick : ticks()) {
      verticalLine(canvas, tick, PlotColor.GRID);
    }
  }

  /** The times below the field. */
  void labels(Canvas canvas) {
    double end = Double.NEGATIVE_INFINITY;
    for (Duration tick : ticks()) {
      String label = ShortDuration.of(tick);
      double half = FontStyle.LABEL_CENTERED.widthOf(label) / 2;
      if (x(tick) - half > end) {
        Point at = new Point(x(tick), field.bottom() + LABEL_DROP);
        canvas.text(at, label, FontStyle.LABEL_CENTERED, PlotColor.MUTED);
        end = x(tick) + half;
      }
    }
  }

  void verticalLine(Canvas canvas, Duration time, PlotColor plotColor) {
    double x = x(time);
    canvas.line(List.of(new Point(x, field.top()), new Point(x, field.bottom())), plotColor);
  }

  private List<Duration> ticks() {
    return scale.ticks((int) (field.width() / PIXELS_PER_TICK));
  }
}
