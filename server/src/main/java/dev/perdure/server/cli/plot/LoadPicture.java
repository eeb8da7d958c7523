// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.plot;

import dev.perdure.policy.simulate.Run;
import dev.perdure.policy.simulate.Simulation;
import dev.perdure.server.cli.chart.CountTicks;
import dev.perdure.server.cli.chart.Course;
import dev.perdure.server.cli.chart.TimeScale;
import dev.perdure.server.cli.plot.Canvas.Box;
import dev.perdure.server.cli.plot.Canvas.Point;
import dev.perdure.server.cli.text.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/** The three runs of a simulation, one above the other on the same scales. */
public final class LoadPicture implements Picture {

  private static final int WIDTH = 960;
  private static final int TOP = 78;
  private static final int PANEL = 150;
  private static final int HEADING = 34;
  private static final int BOTTOM = 58;
  private static final int LEFT = 84;
  private static final int RIGHT = 36;
  private static final int MARGIN = 24;
  private static final int MOST_POINTS = 800;
  private static final int MOST_STEPS = 4;

  private final List<Course> courses;
  private final List<Long> ticks;
  private final TimeScale time;

  public LoadPicture(Simulation.Report report) {
    this.courses = Course.of(report);
    this.ticks = CountTicks.upTo(Course.top(courses), MOST_STEPS);
    this.time = TimeScale.upTo(courses.getFirst().length());
  }

  @Override
  public int width() {
    return WIDTH;
  }

  @Override
  public int height() {
    return TOP + courses.size() * (HEADING + PANEL) + BOTTOM;
  }

  @Override
  public String title() {
    return "Load on the service around an outage, per second";
  }

  @Override
  public void draw(Canvas canvas) {
    canvas.rectangle(new Box(0, 0, width(), height()), Ink.GROUND);
    canvas.text(new Point(MARGIN, 34), title(), Lettering.TITLE, Ink.TEXT);
    Legend.draw(
        canvas,
        new Point(MARGIN, 60),
        List.of(
            new Legend.Entry(Ink.SENT, true, "attempts sent"),
            new Legend.Entry(Ink.ANSWERED, true, "requests answered in time"),
            new Legend.Entry(Ink.CAPACITY, true, "capacity"),
            new Legend.Entry(Ink.OUTAGE, false, "outage")));
    for (int i = 0; i < courses.size(); i++) {
      double top = TOP + i * (HEADING + PANEL) + HEADING;
      Box field = new Box(LEFT, top, WIDTH - LEFT - RIGHT, PANEL);
      panel(canvas, courses.get(i), field, new TimeAxis(time, field));
    }
    Box last = new Box(LEFT, 0, WIDTH - LEFT - RIGHT, height() - BOTTOM);
    new TimeAxis(time, last).labels(canvas);
    canvas.text(
        new Point(last.left() + last.width() / 2, last.bottom() + 42),
        "time",
        Lettering.LABEL_CENTERED,
        Ink.MUTED);
  }

  private void panel(Canvas canvas, Course course, Box field, TimeAxis axis) {
    String verdict = course.run().verdict().name().toLowerCase(Locale.ROOT);
    canvas.text(
        new Point(field.left(), field.top() - 9),
        course.name() + ": " + verdict,
        Lettering.HEADING,
        Ink.TEXT);
    double start = axis.x(course.outageStart());
    double end = axis.x(course.outageEnd());
    canvas.rectangle(new Box(start, field.top(), end - start, field.height()), Ink.OUTAGE);
    axis.grid(canvas);
    for (long tick : ticks) {
      double y = y(field, tick);
      canvas.line(List.of(new Point(field.left(), y), new Point(field.right(), y)), Ink.GRID);
      canvas.text(
          new Point(field.left() - 8, y + 4),
          Numbers.count(tick),
          Lettering.LABEL_AT_END,
          Ink.MUTED);
    }
    List<Point> answered = curve(field, course, Run.Second::answered);
    canvas.area(closed(field, answered), Ink.ANSWERED_AREA);
    canvas.line(answered, Ink.ANSWERED);
    double capacity = y(field, course.scenario().capacity());
    canvas.line(
        List.of(new Point(field.left(), capacity), new Point(field.right(), capacity)),
        Ink.CAPACITY);
    canvas.line(curve(field, course, Run.Second::sent), Ink.SENT);
  }

  private static List<Point> closed(Box field, List<Point> curve) {
    List<Point> corners = new ArrayList<>(curve);
    corners.add(new Point(curve.getLast().x(), field.bottom()));
    corners.add(new Point(curve.getFirst().x(), field.bottom()));
    return corners;
  }

  private List<Point> curve(Box field, Course course, ToIntFunction<Run.Second> value) {
    int[] peaks = course.peaks(value, MOST_POINTS);
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
