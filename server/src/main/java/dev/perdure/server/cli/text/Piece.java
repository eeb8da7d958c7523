// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.text;

import java.util.ArrayList;
import java.util.List;

/** Some text of one tone, without line breaks. */
record Piece(String text, Tone tone) {

  Piece {
    text = Foreign.line(text);
  }

  static Piece of(String text) {
    return new Piece(text, Tone.PLAIN);
  }

  static Piece of(String text, Tone tone) {
    return new Piece(text, tone);
  }

  static Piece space(int columns) {
    return of(" ".repeat(Math.max(0, columns)));
  }

  /** The same pieces, those of one tone that stand side by side made one. */
  static List<Piece> joined(List<Piece> pieces) {
    List<Piece> joined = new ArrayList<>();
    for (Piece piece : pieces) {
      if (!joined.isEmpty() && joined.getLast().tone == piece.tone) {
        joined.add(of(joined.removeLast().text + piece.text, piece.tone));
      } else {
        joined.add(piece);
      }
    }
    return joined;
  }

  /** How many columns it takes. */
  int columns() {
    return Columns.of(text);
  }
}
