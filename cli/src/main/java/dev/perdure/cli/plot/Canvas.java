// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

import java.util.List;

/** Something to draw on. Lengths are in pixels, the origin is at the top left. */
interface Canvas {

  record Point(double x, double y) {}

  record Box(double left, double top, double width, double height) {

    double right() {
      return left + width;
    }

    double bottom() {
      return top + height;
    }
  }

  /** A filled rectangle. */
  void rectangle(Box box, PlotColor plotColor);

  /** A line through these points. */
  void line(List<Point> points, PlotColor plotColor);

  /** The filled shape with these corners. */
  void area(List<Point> corners, PlotColor plotColor);

  /** Text on a base line; the lettering says which end of it stands at the point. */
  void text(Point at, String text, FontStyle fontStyle, PlotColor plotColor);
}
