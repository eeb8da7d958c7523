// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.plot;

import dev.perdure.policy.Expiry;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.Timeline;
import dev.perdure.server.cli.chart.Fold;
import dev.perdure.server.cli.chart.TimeScale;
import dev.perdure.server.cli.plot.Canvas.Box;
import dev.perdure.server.cli.plot.Canvas.Point;
import dev.perdure.server.cli.text.BriefTime;
import dev.perdure.server.cli.text.Numbers;
import java.util.ArrayList;
import java.util.List;

/** When each retry may come: a bar from its earliest to its latest instant. */
public final class TimelinePicture implements Picture {

  private static final int WIDTH = 960;
  private static final int ROW = 24;
  private static final int TOP = 84;
  private static final int BOTTOM = 62;
  private static final int LEFT = 180;
  private static final int RIGHT = 170;
  private static final int MARGIN = 24;
  private static final double BAR = 12;
  private static final double THINNEST = 3;

  private final RetryPolicy policy;
  private final List<Fold.Row> rows;
  private final boolean goesOn;
  private final Box field;
  private final TimeScale scale;
  private final TimeAxis axis;

  /**
   * The picture.
   *
   * @param goesOn true when the timeline was cut before its end
   */
  public TimelinePicture(RetryPolicy policy, Timeline timeline, boolean goesOn) {
    this.policy = policy;
    this.rows = Fold.of(timeline, goesOn);
    this.goesOn = goesOn;
    this.field = new Box(LEFT, TOP, WIDTH - LEFT - RIGHT, ROW * rows.size());
    this.scale = TimeScale.over(Fold.retries(rows));
    this.axis = new TimeAxis(scale, field);
  }

  @Override
  public int width() {
    return WIDTH;
  }

  @Override
  public int height() {
    return TOP + ROW * rows.size() + BOTTOM;
  }

  @Override
  public String title() {
    return "When each retry comes";
  }

  @Override
  public void draw(Canvas canvas) {
    canvas.rectangle(new Box(0, 0, width(), height()), Ink.GROUND);
    canvas.text(new Point(MARGIN, 34), title(), Lettering.TITLE, Ink.TEXT);
    List<Legend.Entry> legend = new ArrayList<>();
    legend.add(new Legend.Entry(Ink.WINDOW, false, "earliest to latest"));
    legend.add(new Legend.Entry(Ink.EXPECTED, false, "expected"));
    axis.grid(canvas);
    axis.labels(canvas);
    if (policy.expiry() instanceof Expiry.After after && scale.covers(after.age())) {
      axis.upright(canvas, after.age(), Ink.EXPIRY);
      legend.add(new Legend.Entry(Ink.EXPIRY, true, "expiry"));
    }
    Legend.draw(canvas, new Point(MARGIN, 60), legend);
    canvas.text(
        new Point(field.right() + MARGIN, 60), "delay before it", Lettering.LABEL, Ink.MUTED);
    for (int i = 0; i < rows.size(); i++) {
      row(canvas, rows.get(i), field.top() + ROW * (i + 0.5), i == rows.size() - 1);
    }
    canvas.text(
        new Point(field.left() + field.width() / 2, field.bottom() + 44),
        "time since the first failure" + (scale.logarithmic() ? ", logarithmic" : ""),
        Lettering.LABEL_CENTERED,
        Ink.MUTED);
  }

  private void row(Canvas canvas, Fold.Row row, double middle, boolean last) {
    Point label = new Point(MARGIN, middle + 4);
    switch (row) {
      case Fold.Retrying shown -> retry(canvas, shown.retry(), middle);
      case Fold.Ending shown ->
          canvas.text(
              label, "gives up: " + shown.end().reason().text(), Lettering.LABEL, Ink.EXPIRY);
      case Fold.Gap gap ->
          canvas.text(
              label,
              last && goesOn ? "… and so on" : "… " + Numbers.count(gap.entries()) + " more",
              Lettering.LABEL,
              Ink.MUTED);
    }
  }

  private void retry(Canvas canvas, Timeline.Retry retry, double middle) {
    double baseLine = middle + 4;
    canvas.text(new Point(MARGIN, baseLine), name(retry), Lettering.LABEL, Ink.TEXT);
    bar(canvas, retry.total(), middle);
    Point beside = new Point(field.right() + MARGIN, baseLine);
    canvas.text(beside, text(retry.delay()), Lettering.LABEL, Ink.TEXT);
  }

  private void bar(Canvas canvas, Timeline.Range when, double middle) {
    double left = axis.x(when.earliest());
    double width = axis.x(when.latest()) - left;
    canvas.rectangle(new Box(left, middle - BAR / 2, width, BAR), Ink.WINDOW);
    double expected = axis.x(when.expected()) - THINNEST / 2;
    canvas.rectangle(new Box(expected, middle - BAR / 2 - 2, THINNEST, BAR + 4), Ink.EXPECTED);
  }

  private static String name(Timeline.Retry retry) {
    Timeline.Rung rung = retry.rung();
    String name = "retry " + Numbers.count(retry.attempt() + 1);
    return rung == null ? name : name + ", step %d/%d".formatted(rung.step(), rung.steps());
  }

  private static String text(Timeline.Range delay) {
    return delay.earliest().equals(delay.latest())
        ? BriefTime.of(delay.expected())
        : BriefTime.of(delay.earliest()) + " … " + BriefTime.of(delay.latest());
  }
}
