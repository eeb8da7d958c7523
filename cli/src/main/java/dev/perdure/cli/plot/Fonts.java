// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.io.IOException;

/** The fonts of this machine: a small container often has none. */
final class Fonts {

  private Fonts() {}

  /** A font for this lettering. */
  static Font of(FontStyle fontStyle) {
    return new Font(Font.SANS_SERIF, fontStyle.bold ? Font.BOLD : Font.PLAIN, fontStyle.size);
  }

  /**
   * Goes on only when letters can be drawn.
   *
   * @throws IOException with what to do about it
   */
  static void require() throws IOException {
    try {
      of(FontStyle.LABEL).getStringBounds("x", new FontRenderContext(null, true, true));
    } catch (RuntimeException | Error e) {
      // Java2D has no one way to say it: a missing library, configuration or font ends in a
      // RuntimeException, a LinkageError, an InternalError or a bare Error. Nothing else runs here.
      throw new IOException(
          "this machine has no fonts to draw a PNG with: write FILE.svg instead, or install"
              + " fontconfig and a font such as DejaVu",
          e);
    }
  }
}
