// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.plot;

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
  void rectangle(Box box, Ink ink);

  /** A line through these points. */
  void line(List<Point> points, Ink ink);

  /** The filled shape with these corners. */
  void area(List<Point> corners, Ink ink);

  /** Text on a base line; the lettering says which end of it stands at the point. */
  void text(Point at, String text, Lettering lettering, Ink ink);
}
