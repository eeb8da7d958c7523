// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

/** A drawing of a certain size. */
public sealed interface Plot permits TimelinePlot, LoadPlot {

  int width();

  int height();

  /** A short description. */
  String title();

  void draw(SvgCanvas canvas);
}
