// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

import dev.perdure.cli.plot.SvgCanvas.Box;
import dev.perdure.cli.plot.SvgCanvas.Point;
import java.util.List;

/** Explains the colors in one line. */
final class Legend {

  private static final double MARK = 18;
  private static final double GAP = 6;
  private static final double BETWEEN = 20;
  private static final double MARK_HEIGHT = 10;

  private Legend() {}

  /** The name of a color, shown as a line or as a patch. */
  record Entry(PlotColor color, boolean line, String name) {}

  /** Draws the legend from this point on. */
  static void draw(SvgCanvas canvas, Point at, List<Entry> entries) {
    double x = at.x();
    for (Entry entry : entries) {
      double middle = at.y() - FontStyle.LABEL.size * 0.35;
      if (entry.line()) {
        canvas.line(List.of(new Point(x, middle), new Point(x + MARK, middle)), entry.color());
      } else {
        canvas.rectangle(new Box(x, middle - MARK_HEIGHT / 2, MARK, MARK_HEIGHT), entry.color());
      }
      x += MARK + GAP;
      canvas.text(new Point(x, at.y()), entry.name(), FontStyle.LABEL, PlotColor.MUTED);
      x += FontStyle.LABEL.widthOf(entry.name()) + BETWEEN;
    }
  }
}
