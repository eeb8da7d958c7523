// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/**
 * Draws a plot as SVG, with a style sheet for light and dark mode. Lengths are in pixels, and the
 * origin is at the top left.
 */
final class SvgCanvas {

  record Point(double x, double y) {}

  record Box(double left, double top, double width, double height) {

    double right() {
      return left + width;
    }

    double bottom() {
      return top + height;
    }
  }

  private static final String FONT =
      "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif";

  private final StringBuilder svg = new StringBuilder();

  private SvgCanvas() {}

  static String draw(Plot plot) {
    SvgCanvas canvas = new SvgCanvas();
    canvas.open(plot);
    plot.draw(canvas);
    return canvas.svg.append("</svg>\n").toString();
  }

  private void open(Plot plot) {
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n"
            .formatted(plot.width(), plot.height(), plot.width(), plot.height()));
    svg.append("<title>").append(escaped(plot.title())).append("</title>\n<style>\n");
    svg.append("text{font-family:").append(FONT).append("}\n");
    colors(color -> color.light);
    svg.append("@media (prefers-color-scheme:dark){\n");
    colors(color -> color.dark);
    svg.append("}\n</style>\n");
  }

  private void colors(ToIntFunction<PlotColor> mode) {
    for (PlotColor color : PlotColor.values()) {
      String hex = "#%06x".formatted(mode.applyAsInt(color));
      svg.append(
          ".%s{fill:%s}.%s-line{fill:none;stroke:%s}\n"
              .formatted(color.css(), hex, color.css(), hex));
    }
  }

  /** A filled rectangle. */
  void rectangle(Box box, PlotColor color) {
    svg.append(
        "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n"
            .formatted(
                color.css(),
                number(box.left()),
                number(box.top()),
                number(box.width()),
                number(box.height())));
  }

  /** A line through these points. */
  void line(List<Point> points, PlotColor color) {
    svg.append(
        "<polyline class=\"%s-line\" stroke-width=\"%s\" stroke-linejoin=\"round\"%s points=\"%s\"/>\n"
            .formatted(
                color.css(),
                number(color.lineWidth()),
                color.dashed() ? " stroke-dasharray=\"5 4\"" : "",
                list(points)));
  }

  /** A filled polygon. */
  void area(List<Point> corners, PlotColor color) {
    svg.append("<polygon class=\"%s\" points=\"%s\"/>\n".formatted(color.css(), list(corners)));
  }

  /** Text on a base line; the font's anchor says which end of it is at the point. */
  void text(Point at, String text, FontStyle font, PlotColor color) {
    svg.append(
        "<text class=\"%s\" x=\"%s\" y=\"%s\" font-size=\"%d\"%s text-anchor=\"%s\">%s</text>\n"
            .formatted(
                color.css(),
                number(at.x()),
                number(at.y()),
                font.size,
                font.bold ? " font-weight=\"600\"" : "",
                font.anchor.svg,
                escaped(text)));
  }

  private static String list(List<Point> points) {
    StringBuilder list = new StringBuilder();
    for (Point point : points) {
      list.append(list.isEmpty() ? "" : " ");
      list.append(number(point.x())).append(',').append(number(point.y()));
    }
    return list.toString();
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  /** XML allows no control characters, not even escaped ones. */
  private static String escaped(String text) {
    return text.replaceAll("\\p{Cntrl}", "?")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;");
  }
}
