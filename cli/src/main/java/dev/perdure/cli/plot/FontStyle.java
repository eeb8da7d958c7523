// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

/** Size, weight and alignment of text. */
enum FontStyle {
  TITLE(18, true, Anchor.START),
  HEADING(13, true, Anchor.START),
  LABEL(12, false, Anchor.START),
  LABEL_CENTERED(12, false, Anchor.MIDDLE),
  LABEL_AT_END(12, false, Anchor.END);

  /** The part of the text that is at its point. */
  enum Anchor {
    START("start"),
    MIDDLE("middle"),
    END("end");

    final String svg;

    Anchor(String svg) {
      this.svg = svg;
    }
  }

  /** The mean width of a sans-serif letter as a share of the font size, rounded up. */
  private static final double LETTER_WIDTH = 0.58;

  final int size;
  final boolean bold;
  final Anchor anchor;

  FontStyle(int size, boolean bold, Anchor anchor) {
    this.size = size;
    this.bold = bold;
    this.anchor = anchor;
  }

  /** The approximate width of the text: only the viewer knows the real font. */
  double widthOf(String text) {
    return text.length() * size * LETTER_WIDTH;
  }
}
