// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.util.ArrayList;
import java.util.List;

/** Text in one style, without line breaks. */
record StyledText(String text, AnsiStyle style) {

  private static final int GAP = 2;

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

  /** Pieces two columns apart, on as many lines as they need, all of them right of the start. */
  static List<List<StyledText>> wrap(List<StyledText> start, List<StyledText> pieces, int width) {
    int indent = start.stream().mapToInt(StyledText::columns).sum();
    int used = indent;
    List<List<StyledText>> lines = new ArrayList<>(List.of(new ArrayList<>(start)));
    for (StyledText piece : pieces) {
      int gap = used == indent ? 0 : GAP;
      if (gap > 0 && used + gap + piece.columns() > width) {
        lines.add(new ArrayList<>(List.of(space(indent))));
        used = indent;
        gap = 0;
      }
      lines.getLast().add(space(gap));
      lines.getLast().add(piece);
      used += gap + piece.columns();
    }
    return lines;
  }

  /** The number of terminal columns it takes. */
  int columns() {
    return DisplayWidth.of(text);
  }
}
