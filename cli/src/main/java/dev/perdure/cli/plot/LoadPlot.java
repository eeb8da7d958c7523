// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

import dev.perdure.cli.chart.CountTicks;
import dev.perdure.cli.chart.LoadCurve;
import dev.perdure.cli.chart.TimeScale;
import dev.perdure.cli.plot.SvgCanvas.Box;
import dev.perdure.cli.plot.SvgCanvas.Point;
import dev.perdure.cli.text.NumberFormatting;
import dev.perdure.policy.simulate.OutageResult;
import dev.perdure.policy.simulate.OutageSimulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/** Plots the three runs of a simulation, one above the other with the same scales. */
public final class LoadPlot implements Plot {

  private static final int WIDTH = 960;
  private static final int TOP = 78;
  private static final int PANEL = 150;
  private static final int HEADING = 34;
  private static final int BOTTOM = 58;
  private static final int LEFT = 84;
  private static final int RIGHT = 36;
  private static final int MARGIN = 24;
  private static final int MAX_POINTS = 800;
  private static final int MAX_TICKS = 4;

  private final List<LoadCurve> curves;
  private final List<Long> ticks;
  private final TimeScale time;

  public LoadPlot(OutageSimulation.Report report) {
    this.curves = LoadCurve.of(report);
    this.ticks = CountTicks.upTo(LoadCurve.top(curves), MAX_TICKS);
    this.time = TimeScale.upTo(curves.getFirst().length());
  }

  @Override
  public int width() {
    return WIDTH;
  }

  @Override
  public int height() {
    return TOP + curves.size() * (HEADING + PANEL) + BOTTOM;
  }

  @Override
  public String title() {
    return "Load on the service around an outage, per second";
  }

  @Override
  public void draw(SvgCanvas canvas) {
    canvas.rectangle(new Box(0, 0, width(), height()), PlotColor.BACKGROUND);
    canvas.text(new Point(MARGIN, 34), title(), FontStyle.TITLE, PlotColor.TEXT);
    Legend.draw(
        canvas,
        new Point(MARGIN, 60),
        List.of(
            new Legend.Entry(PlotColor.SENT, true, "attempts sent"),
            new Legend.Entry(PlotColor.ANSWERED, true, "requests answered in time"),
            new Legend.Entry(PlotColor.CAPACITY, true, "capacity"),
            new Legend.Entry(PlotColor.OUTAGE, false, "outage")));
    for (int i = 0; i < curves.size(); i++) {
      double top = TOP + i * (HEADING + PANEL) + HEADING;
      Box field = new Box(LEFT, top, WIDTH - LEFT - RIGHT, PANEL);
      panel(canvas, curves.get(i), field, new TimeAxis(time, field));
    }
    Box last = new Box(LEFT, 0, WIDTH - LEFT - RIGHT, height() - BOTTOM);
    new TimeAxis(time, last).labels(canvas);
    canvas.text(
        new Point(last.left() + last.width() / 2, last.bottom() + 42),
        "time",
        FontStyle.LABEL_CENTERED,
        PlotColor.MUTED);
  }

  private void panel(SvgCanvas canvas, LoadCurve curve, Box field, TimeAxis axis) {
    String verdict = curve.run().verdict().name().toLowerCase(Locale.ROOT);
    canvas.text(
        new Point(field.left(), field.top() - 9),
        curve.name() + ": " + verdict,
        FontStyle.HEADING,
        PlotColor.TEXT);
    double start = axis.x(curve.outageStart());
    double end = axis.x(curve.outageEnd());
    canvas.rectangle(new Box(start, field.top(), end - start, field.height()), PlotColor.OUTAGE);
    axis.grid(canvas);
    for (long tick : ticks) {
      double y = y(field, tick);
      canvas.line(List.of(new Point(field.left(), y), new Point(field.right(), y)), PlotColor.GRID);
      canvas.text(
          new Point(field.left() - 8, y + 4),
          NumberFormatting.count(tick),
          FontStyle.LABEL_AT_END,
          PlotColor.MUTED);
    }
    List<Point> answered = curve(field, curve, OutageResult.Second::answered);
    canvas.area(closed(field, answered), PlotColor.ANSWERED_AREA);
    canvas.line(answered, PlotColor.ANSWERED);
    double capacity = y(field, curve.scenario().capacity());
    canvas.line(
        List.of(new Point(field.left(), capacity), new Point(field.right(), capacity)),
        PlotColor.CAPACITY);
    canvas.line(curve(field, curve, OutageResult.Second::sent), PlotColor.SENT);
  }

  private static List<Point> closed(Box field, List<Point> curve) {
    List<Point> corners = new ArrayList<>(curve);
    corners.add(new Point(curve.getLast().x(), field.bottom()));
    corners.add(new Point(curve.getFirst().x(), field.bottom()));
    return corners;
  }

  private List<Point> curve(Box field, LoadCurve curve, ToIntFunction<OutageResult.Second> value) {
    int[] peaks = curve.peaks(value, MAX_POINTS);
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < peaks.length; i++) {
      double x = field.left() + (i + 0.5) / peaks.length * field.width();
      points.add(new Point(x, y(field, peaks[i])));
    }
    return points;
  }

  private double y(Box field, long perSecond) {
    return field.bottom() - (double) perSecond / ticks.getLast() * field.height();
  }
}
