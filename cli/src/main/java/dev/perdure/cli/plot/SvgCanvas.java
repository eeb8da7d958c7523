// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/** Writes SVG. The style sheet in it follows the reader's choice of light or dark. */
final class SvgCanvas implements Canvas {

  private static final String FONT =
      "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif";

  private final StringBuilder svg = new StringBuilder();

  private SvgCanvas() {}

  static String draw(Plot picture) {
    SvgCanvas canvas = new SvgCanvas();
    canvas.open(picture);
    picture.draw(canvas);
    return canvas.svg.append("</svg>\n").toString();
  }

  private void open(Plot picture) {
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n"
            .formatted(picture.width(), picture.height(), picture.width(), picture.height()));
    svg.append("<title>").append(escaped(picture.title())).append("</title>\n<style>\n");
    svg.append("text{font-family:").append(FONT).append("}\n");
    colors(plotColor -> plotColor.light);
    svg.append("@media (prefers-color-scheme:dark){\n");
    colors(plotColor -> plotColor.dark);
    svg.append("}\n</style>\n");
  }

  private void colors(ToIntFunction<PlotColor> color) {
    for (PlotColor plotColor : PlotColor.values()) {
      String hex = "#%06x".formatted(color.applyAsInt(plotColor));
      svg.append(
          ".%s{fill:%s}.%s-line{fill:none;stroke:%s}\n"
              .formatted(plotColor.css(), hex, plotColor.css(), hex));
    }
  }

  @Override
  public void rectangle(Box box, PlotColor plotColor) {
    svg.append(
        "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n"
            .formatted(
                plotColor.css(),
                number(box.left()),
                number(box.top()),
                number(box.width()),
                number(box.height())));
  }

  @Override
  public void line(List<Point> points, PlotColor plotColor) {
    svg.append(
        "<polyline class=\"%s-line\" stroke-width=\"%s\" stroke-linejoin=\"round\"%s points=\"%s\"/>\n"
            .formatted(
                plotColor.css(),
                number(plotColor.lineWidth()),
                plotColor.dashed() ? " stroke-dasharray=\"5 4\"" : "",
                list(points)));
  }

  @Override
  public void area(List<Point> corners, PlotColor plotColor) {
    svg.append("<polygon class=\"%s\" points=\"%s\"/>\n".formatted(plotColor.css(), list(corners)));
  }

  @Override
  public void text(Point at, String text, FontStyle fontStyle, PlotColor plotColor) {
    svg.append(
        "<text class=\"%s\" x=\"%s\" y=\"%s\" font-size=\"%d\"%s text-anchor=\"%s\">%s</text>\n"
            .formatted(
                plotColor.css(),
                number(at.x()),
                number(at.y()),
                fontStyle.size,
                fontStyle.bold ? " font-weight=\"600\"" : "",
                fontStyle.anchor.svg,
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

  /** XML allows no control characters at all, not even escaped. */
  private static String escaped(String text) {
    return text.replaceAll("\\p{Cntrl}", "?")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;");
  }
}
