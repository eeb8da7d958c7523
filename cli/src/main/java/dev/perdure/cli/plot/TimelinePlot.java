// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

import dev.perdure.cli.chart.CondensedTimeline;
import dev.perdure.cli.chart.TimeScale;
import dev.perdure.cli.plot.SvgCanvas.Box;
import dev.perdure.cli.plot.SvgCanvas.Point;
import dev.perdure.cli.text.NumberFormatting;
import dev.perdure.cli.text.ShortDuration;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.LadderPosition;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.Timeline;
import java.util.ArrayList;
import java.util.List;

/** Plots when each retry comes: a bar from its earliest to its latest time. */
public final class TimelinePlot implements Plot {

  private static final int WIDTH = 960;
  private static final int ROW = 24;
  private static final int TOP = 84;
  private static final int BOTTOM = 62;
  private static final int LEFT = 180;
  private static final int RIGHT = 170;
  private static final int MARGIN = 24;
  private static final double BAR = 12;
  private static final double MIN_BAR_WIDTH = 3;

  private final RetryPolicy policy;
  private final List<CondensedTimeline.Row> rows;
  private final boolean goesOn;
  private final Box field;
  private final TimeScale scale;
  private final TimeAxis axis;

  /**
   * @param goesOn true when the timeline was cut before its end
   */
  public TimelinePlot(RetryPolicy policy, Timeline timeline, boolean goesOn) {
    this.policy = policy;
    this.rows = CondensedTimeline.of(timeline, goesOn);
    this.goesOn = goesOn;
    this.field = new Box(LEFT, TOP, WIDTH - LEFT - RIGHT, ROW * rows.size());
    this.scale = TimeScale.over(CondensedTimeline.retries(rows));
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
  public void draw(SvgCanvas canvas) {
    canvas.rectangle(new Box(0, 0, width(), height()), PlotColor.BACKGROUND);
    canvas.text(new Point(MARGIN, 34), title(), FontStyle.TITLE, PlotColor.TEXT);
    List<Legend.Entry> legend = new ArrayList<>();
    legend.add(new Legend.Entry(PlotColor.WINDOW, false, "earliest to latest"));
    legend.add(new Legend.Entry(PlotColor.EXPECTED, false, "expected"));
    axis.grid(canvas);
    axis.labels(canvas);
    if (policy.expiry() instanceof Expiry.After after && scale.covers(after.age())) {
      axis.verticalLine(canvas, after.age(), PlotColor.EXPIRY);
      legend.add(new Legend.Entry(PlotColor.EXPIRY, true, "expiry"));
    }
    Legend.draw(canvas, new Point(MARGIN, 60), legend);
    canvas.text(new Point(field.right() + MARGIN, 60), "delay", FontStyle.LABEL, PlotColor.MUTED);
    for (int i = 0; i < rows.size(); i++) {
      row(canvas, rows.get(i), field.top() + ROW * (i + 0.5), i == rows.size() - 1);
    }
    canvas.text(
        new Point(field.left() + field.width() / 2, field.bottom() + 44),
        "time since the first failure" + (scale.logarithmic() ? ", logarithmic" : ""),
        FontStyle.LABEL_CENTERED,
        PlotColor.MUTED);
  }

  private void row(SvgCanvas canvas, CondensedTimeline.Row row, double middle, boolean last) {
    Point label = new Point(MARGIN, middle + 4);
    switch (row) {
      case CondensedTimeline.RetryRow shown -> retry(canvas, shown.retry(), middle);
      case CondensedTimeline.EndRow shown ->
          canvas.text(
              label, "gives up: " + shown.end().reason().text(), FontStyle.LABEL, PlotColor.EXPIRY);
      case CondensedTimeline.GapRow gap ->
          canvas.text(
              label,
              last && goesOn
                  ? "… and so on"
                  : "… " + NumberFormatting.count(gap.entries()) + " more",
              FontStyle.LABEL,
              PlotColor.MUTED);
    }
  }

  private void retry(SvgCanvas canvas, Timeline.Retry retry, double middle) {
    double baseLine = middle + 4;
    canvas.text(new Point(MARGIN, baseLine), name(retry), FontStyle.LABEL, PlotColor.TEXT);
    bar(canvas, retry.total(), middle);
    Point beside = new Point(field.right() + MARGIN, baseLine);
    canvas.text(beside, text(retry.delay()), FontStyle.LABEL, PlotColor.TEXT);
  }

  private void bar(SvgCanvas canvas, Timeline.Range when, double middle) {
    double left = axis.x(when.earliest());
    double width = axis.x(when.latest()) - left;
    canvas.rectangle(new Box(left, middle - BAR / 2, width, BAR), PlotColor.WINDOW);
    double expected = axis.x(when.expected()) - MIN_BAR_WIDTH / 2;
    canvas.rectangle(
        new Box(expected, middle - BAR / 2 - 2, MIN_BAR_WIDTH, BAR + 4), PlotColor.EXPECTED);
  }

  private static String name(Timeline.Retry retry) {
    LadderPosition position = retry.ladderPosition();
    String name = "retry " + NumberFormatting.count(retry.attempt() + 1);
    return position == null
        ? name
        : name + ", step %d/%d".formatted(position.step(), position.steps());
  }

  private static String text(Timeline.Range delay) {
    return delay.earliest().equals(delay.latest())
        ? ShortDuration.of(delay.expected())
        : ShortDuration.of(delay.earliest()) + " … " + ShortDuration.of(delay.latest());
  }
}
