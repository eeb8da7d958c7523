// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

import dev.perdure.cli.chart.TimeScale;
import dev.perdure.cli.plot.SvgCanvas.Box;
import dev.perdure.cli.plot.SvgCanvas.Point;
import dev.perdure.cli.text.ShortDuration;
import java.time.Duration;
import java.util.List;

/** A horizontal time axis. */
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

  /** Vertical lines at round times. */
  void grid(SvgCanvas canvas) {
    for (Duration tick : ticks()) {
      verticalLine(canvas, tick, PlotColor.GRID);
    }
  }

  /** Labels below the field. */
  void labels(SvgCanvas canvas) {
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

  void verticalLine(SvgCanvas canvas, Duration time, PlotColor color) {
    double x = x(time);
    canvas.line(List.of(new Point(x, field.top()), new Point(x, field.bottom())), color);
  }

  private List<Duration> ticks() {
    return scale.ticks((int) (field.width() / PIXELS_PER_TICK));
  }
}
