// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.util.ArrayList;
import java.util.List;

/** Some text of one tone, without line breaks. */
record StyledText(String text, AnsiStyle style) {

  StyledText {
    text = TerminalSafe.oneLine(text);
  }

  static StyledText of(String text) {
    return new StyledText(text, AnsiStyle.PLAIN);
  }

  static StyledText of(String text, AnsiStyle ansiStyle) {
    return new StyledText(text, ansiStyle);
  }

  static StyledText space(int columns) {
    return of(" ".repeat(Math.max(0, columns)));
  }

  /** The same pieces, those of one tone that stand side by side made one. */
  static List<StyledText> joined(List<StyledText> styledTexts) {
    List<StyledText> joined = new ArrayList<>();
    for (StyledText styledText : styledTexts) {
      if (!joined.isEmpty() && joined.getLast().style == styledText.style) {
        joined.add(of(joined.removeLast().text + styledText.text, styledText.style));
      } else {
        joined.add(styledText);
      }
    }
    return joined;
  }

  /** How many columns it takes. */
  int columns() {
    return DisplayWidth.of(text);
  }
}
