// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.util.ArrayList;
import java.util.List;

/** Text in one style, without line breaks. */
record StyledText(String text, AnsiStyle style) {

  StyledText {
    text = TerminalSanitizer.oneLine(text);
  }

  static StyledText of(String text) {
    return new StyledText(text, AnsiStyle.PLAIN);
  }

  static StyledText of(String text, AnsiStyle style) {
    return new StyledText(text, style);
  }

  /** Text to copy, such as JSON, that is never wrapped. */
  static StyledText unbreakable(String text) {
    return of(text.replace(' ', TerminalWriter.UNBREAKABLE_SPACE));
  }

  static StyledText space(int columns) {
    return of(" ".repeat(Math.max(0, columns)));
  }

  /** Joins adjacent pieces of the same style. */
  static List<StyledText> joined(List<StyledText> pieces) {
    List<StyledText> joined = new ArrayList<>();
    for (StyledText piece : pieces) {
      if (!joined.isEmpty() && joined.getLast().style == piece.style) {
        joined.add(of(joined.removeLast().text + piece.text, piece.style));
      } else {
        joined.add(piece);
      }
    }
    return joined;
  }

  /** The number of terminal columns it takes. */
  int columns() {
    return DisplayWidth.of(text);
  }
}
