// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

import dev.perdure.cli.plot.Canvas.Box;
import dev.perdure.cli.plot.Canvas.Point;
import java.util.List;

/** Says in one line what the inks stand for. */
final class Legend {

  private static final double MARK = 18;
  private static final double GAP = 6;
  private static final double BETWEEN = 20;
  private static final double MARK_HEIGHT = 10;

  private Legend() {}

  /** A name for an ink, shown as a line or as a patch. */
  record Entry(PlotColor ink, boolean line, String name) {}

  /** Draws it on this base line, beginning at this point. */
  static void draw(Canvas canvas, Point at, List<Entry> entries) {
    double x = at.x();
    for (Entry entry : entries) {
      double middle = at.y() - FontStyle.LABEL.size * 0.35;
      if (entry.line()) {
        canvas.line(List.of(new Point(x, middle), new Point(x + MARK, middle)), entry.ink());
      } else {
        canvas.rectangle(new Box(x, middle - MARK_HEIGHT / 2, MARK, MARK_HEIGHT), entry.ink());
      }
      x += MARK + GAP;
      canvas.text(new Point(x, at.y()), entry.name(), FontStyle.LABEL, PlotColor.MUTED);
      x += FontStyle.LABEL.widthOf(entry.name()) + BETWEEN;
    }
  }
}
