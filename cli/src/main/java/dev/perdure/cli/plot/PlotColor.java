// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

import java.util.Locale;

/**
 * The meaning of a mark, with its colors in light and dark mode. Orange and blue are easy to tell
 * apart for people who confuse red and green.
 */
enum PlotColor {
  BACKGROUND(0xffffff, 0x16181d),
  TEXT(0x1f2328, 0xe6e8eb),
  MUTED(0x5c656e, 0x9aa4af),
  GRID(0xe6e9ed, 0x2c3138),
  SENT(0xd4550c, 0xff8f4d),
  ANSWERED(0x1f6fbf, 0x63a8f0),
  ANSWERED_AREA(0xd5e6f7, 0x1f3a58),
  CAPACITY(0x1f2328, 0xe6e8eb),
  OUTAGE(0xfbe6dd, 0x3d251c),
  WINDOW(0xa9cbef, 0x2f5680),
  EXPECTED(0x1f6fbf, 0x63a8f0),
  EXPIRY(0xb42318, 0xff7b72);

  private static final double THIN = 1;
  private static final double THICK = 1.75;

  final int light;
  final int dark;

  PlotColor(int light, int dark) {
    this.light = light;
    this.dark = dark;
  }

  boolean dashed() {
    return this == CAPACITY || this == EXPIRY;
  }

  double lineWidth() {
    return this == SENT || this == ANSWERED ? THICK : THIN;
  }

  /** The name of its class in the style sheet. */
  String css() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
