// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.plot;

/** Something that can be drawn. */
public sealed interface Picture permits TimelinePicture, LoadPicture {

  int width();

  int height();

  /** What it shows, in a few words. */
  String title();

  void draw(Canvas canvas);
}
