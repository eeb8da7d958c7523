// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Paper of a certain width to write on. Only here does colour turn into control sequences. */
public final class TerminalWriter {

  private final PrintStream out;
  private final int width;
  private final int cut;
  private final boolean colored;

  public TerminalWriter(PrintStream out, int width, boolean colored) {
    this(out, width, Integer.MAX_VALUE, colored);
  }

  /**
   * @param cut where lines end that are longer all the same
   */
  TerminalWriter(PrintStream out, int width, int cut, boolean colored) {
    this.out = out;
    this.width = width;
    this.cut = cut;
    this.colored = colored;
  }

  int width() {
    return width;
  }

  public void blank() {
    out.println();
  }

  /** A line that stands out. */
  public void heading(String text) {
    paragraph(text, AnsiStyle.STRONG);
  }

  /** Something to type, broken into lines. */
  public void command(String text) {
    paragraph(text, AnsiStyle.ACCENT);
  }

  /** Text, broken into lines. */
  public void paragraph(String text) {
    paragraph(text, AnsiStyle.PLAIN);
  }

  /** Text of a tone, broken into lines. */
  public void paragraph(String text, AnsiStyle ansiStyle) {
    wrap(text, width).forEach(line -> line(StyledText.of(line, ansiStyle)));
  }

  /** A label, and beside it text broken into lines. */
  void field(String label, int labelColumns, String text) {
    field(StyledText.of(label, AnsiStyle.FAINT), labelColumns, text);
  }

  void field(StyledText label, int labelColumns, String text) {
    List<String> lines = wrap(text, width - labelColumns);
    line(label, StyledText.space(labelColumns - label.columns()), StyledText.of(lines.getFirst()));
    for (String next : lines.subList(1, lines.size())) {
      line(StyledText.space(labelColumns), StyledText.of(next));
    }
  }

  void line(StyledText... pieces) {
    line(List.of(pieces));
  }

  /** A line, without the blanks at its end. */
  void line(List<StyledText> styledTexts) {
    StringBuilder line = new StringBuilder();
    int end = styledTexts.size();
    while (end > 0 && styledTexts.get(end - 1).text().isBlank()) {
      end--;
    }
    int room = cut;
    for (int i = 0; i < end; i++) {
      StyledText styledText = styledTexts.get(i);
      String whole = i == end - 1 ? styledText.text().stripTrailing() : styledText.text();
      String text = DisplayWidth.truncate(whole, room);
      line.append(colored ? styledText.style().paint(text) : text);
      room -= DisplayWidth.of(text);
    }
    out.println(line);
  }

  /** Breaks text at its blanks; a word longer than a line is cut. At least one line. */
  static List<String> wrap(String text, int columns) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.strip().split(" +", -1)) {
      String rest = word;
      if (DisplayWidth.of(line.toString()) + 1 + DisplayWidth.of(rest) > columns
          && !line.isEmpty()) {
        lines.add(line.toString());
        line.setLength(0);
      }
      while (!rest.isEmpty() && DisplayWidth.of(rest) > columns) {
        // One at least: a wide letter on a narrow page would never fit.
        int least = rest.offsetByCodePoints(0, 1);
        int part = Math.max(least, DisplayWidth.truncate(rest, columns).length());
        lines.add(rest.substring(0, part));
        rest = rest.substring(part);
      }
      line.append(line.isEmpty() ? "" : " ").append(rest);
    }
    lines.add(line.toString());
    return lines;
  }
}
