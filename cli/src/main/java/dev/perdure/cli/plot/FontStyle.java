// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

/** How text is set. */
enum FontStyle {
  TITLE(18, true, Anchor.START),
  HEADING(13, true, Anchor.START),
  LABEL(12, false, Anchor.START),
  LABEL_CENTERED(12, false, Anchor.MIDDLE),
  LABEL_AT_END(12, false, Anchor.END);

  /** Which part of the text stands at its point. */
  enum Anchor {
    START("start", 0),
    MIDDLE("middle", 0.5),
    END("end", 1);

    final String svg;
    final double share;

    Anchor(String svg, double share) {
      this.svg = svg;
      this.share = share;
    }
  }

  /** The mean width of a letter of a sans-serif font, as a share of its size; a bit too much. */
  private static final double LETTER_WIDTH = 0.58;

  final int size;
  final boolean bold;
  final Anchor anchor;

  FontStyle(int size, boolean bold, Anchor anchor) {
    this.size = size;
    this.bold = bold;
    this.anchor = anchor;
  }

  /** About how wide the text will be, for those who cannot measure it. */
  double widthOf(String text) {
    return text.length() * size * LETTER_WIDTH;
  }
}
