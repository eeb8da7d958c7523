// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.plot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * A plot with logarithmic axes, as SVG for light and dark mode. What grows in proportion is a line
 * that rises as steeply as the dashed one.
 *
 * @param title what is measured
 * @param xTitle what the horizontal axis shows
 * @param yTitle what the vertical axis shows
 */
public record LogPlot(String title, String xTitle, String yTitle, List<Series> series) {

  /**
   * One measurement with its spread.
   *
   * @param low the smallest value
   * @param high the largest value
   */
  public record Point(double x, double y, double low, double high) {}

  /** The measurements of one thing, in the order of their x. */
  public record Series(String name, List<Point> points) {}

  private static final int WIDTH = 760;
  private static final int HEIGHT = 420;
  private static final int LEFT = 76;
  private static final int RIGHT = 230;
  private static final int TOP = 56;
  private static final int BOTTOM = 56;
  private static final int LABEL_HEIGHT = 15;

  /** Light and dark, in pairs; told apart also by people who confuse red and green. */
  private static final List<String> COLORS =
      List.of("#1f6fbf", "#63a8f0", "#d4550c", "#ff8f4d", "#157a5a", "#4cc79b");

  public LogPlot {
    series = List.copyOf(series);
  }

  /** One axis, from one power of ten to another. */
  private record Axis(int from, int to, double start, double end) {

    static Axis of(DoubleStream values, double start, double end) {
      var range = values.summaryStatistics();
      int from = (int) Math.floor(Math.log10(range.getMin()));
      int to = (int) Math.ceil(Math.log10(range.getMax()));
      return new Axis(from, Math.max(to, from + 1), start, end);
    }

    double at(double value) {
      return start + (Math.log10(value) - from) / (to - from) * (end - start);
    }
  }

  public void write(Path file) throws IOException {
    Files.writeString(file, svg());
  }

  String svg() {
    Axis x = Axis.of(values(Point::x), LEFT, WIDTH - RIGHT);
    Axis y =
        Axis.of(DoubleStream.concat(values(Point::low), values(Point::high)), HEIGHT - BOTTOM, TOP);
    StringBuilder svg = new StringBuilder(head());
    for (int power = x.from(); power <= x.to(); power++) {
      double at = x.at(Math.pow(10, power));
      svg.append(line("grid", at, TOP, at, HEIGHT - BOTTOM));
      svg.append(text("muted", "middle", at, HEIGHT - BOTTOM + 20, tick(power)));
    }
    for (int power = y.from(); power <= y.to(); power++) {
      double at = y.at(Math.pow(10, power));
      svg.append(line("grid", LEFT, at, WIDTH - RIGHT, at));
      svg.append(text("muted", "end", LEFT - 8, at + 4, tick(power)));
    }
    svg.append(text("title", "start", LEFT, 28, title));
    svg.append(text("muted", "start", LEFT, TOP - 10, yTitle));
    svg.append(text("muted", "middle", (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, xTitle));
    svg.append(proportion(x, y));
    List<Integer> byHeight = new ArrayList<>();
    for (int i = 0; i < series.size(); i++) {
      svg.append(curve(i, x, y));
      byHeight.add(i);
    }
    byHeight.sort((a, b) -> Double.compare(last(b), last(a)));
    double lowest = TOP;
    for (int i : byHeight) {
      double at = Math.max(y.at(last(i)) + 4, lowest);
      svg.append(text("s" + i, "start", WIDTH - RIGHT + 12, at, series.get(i).name()));
      lowest = at + LABEL_HEIGHT;
    }
    return svg.append("</svg>\n").toString();
  }

  private double last(int index) {
    return series.get(index).points().getLast().y();
  }

  private DoubleStream values(ToDoubleFunction<Point> value) {
    return series.stream().flatMap(one -> one.points().stream()).mapToDouble(value);
  }

  /** A line on which y is proportional to x, through the middle of the plot. */
  private static String proportion(Axis x, Axis y) {
    double slope = (y.end() - y.start()) / (y.to() - y.from()) * (x.to() - x.from());
    double middle = (TOP + HEIGHT - BOTTOM) / 2.0;
    double share = Math.min(1, (HEIGHT - BOTTOM - TOP) / Math.abs(slope));
    double half = (WIDTH - RIGHT - LEFT) * share / 2;
    double center = (LEFT + WIDTH - RIGHT) / 2.0;
    return line(
        "even",
        center - half,
        middle - slope * share / 2,
        center + half,
        middle + slope * share / 2);
  }

  private String curve(int index, Axis x, Axis y) {
    List<Point> points = series.get(index).points();
    String style = "l" + index + (index % 2 == 1 ? " second" : "");
    StringBuilder svg = new StringBuilder();
    for (Point point : points) {
      double at = x.at(point.x());
      svg.append(line(style, at, y.at(point.low()), at, y.at(point.high())));
      svg.append(
          "<circle class=\"s%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>\n"
              .formatted(index, at, y.at(point.y())));
    }
    String corners =
        points.stream()
            .map(point -> "%.1f,%.1f".formatted(x.at(point.x()), y.at(point.y())))
            .collect(Collectors.joining(" "));
    return svg.append("<polyline class=\"%s\" points=\"%s\"/>\n".formatted(style, corners))
        .toString();
  }

  private String head() {
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n"
            .formatted(WIDTH, HEIGHT, WIDTH, HEIGHT));
    svg.append("<title>").append(title).append("</title>\n<style>\n");
    svg.append("text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}\n");
    svg.append("polyline,line{fill:none;stroke-width:1.5}.title{font-size:16px;font-weight:600}\n");
    svg.append(".even{stroke-dasharray:2 4}.second{stroke-dasharray:6 3}\n");
    svg.append(colors(0, "#ffffff", "#1f2328", "#5c656e", "#e6e9ed"));
    svg.append("@media (prefers-color-scheme:dark){\n");
    svg.append(colors(1, "#16181d", "#e6e8eb", "#9aa4af", "#2c3138"));
    svg.append("}\n</style>\n<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n");
    return svg.toString();
  }

  private String colors(int mode, String back, String title, String muted, String grid) {
    StringBuilder css = new StringBuilder();
    css.append(
        ".back{fill:%s}.title{fill:%s}.muted{fill:%s}.grid{stroke:%s}.even{stroke:%s}\n"
            .formatted(back, title, muted, grid, muted));
    for (int i = 0; i < series.size(); i++) {
      String color = COLORS.get((i / 2 * 2 + mode) % COLORS.size());
      css.append(".s%d{fill:%s}.l%d{stroke:%s}\n".formatted(i, color, i, color));
    }
    return css.toString();
  }

  private static String line(String style, double x1, double y1, double x2, double y2) {
    return "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n"
        .formatted(style, x1, y1, x2, y2);
  }

  private static String text(String style, String anchor, double x, double y, String text) {
    return "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n"
        .formatted(style, anchor, x, y, text);
  }

  private static String tick(int power) {
    return power < 0
        ? String.format(Locale.ROOT, "%." + -power + "f", Math.pow(10, power))
        : String.format(Locale.ROOT, "%,d", Math.round(Math.pow(10, power)));
  }
}
