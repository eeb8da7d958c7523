// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

/** Something that can be drawn. */
public sealed interface Plot permits TimelinePlot, LoadPlot {

  int width();

  int height();

  /** What it shows, in a few words. */
  String title();

  void draw(Canvas canvas);
}
