// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Writes lines of a fixed width; the only class that writes color codes. */
public final class TerminalWriter {

  private final PrintStream out;
  private final int width;
  private final int cut;
  private final boolean colored;

  public TerminalWriter(PrintStream out, int width, boolean colored) {
    this(out, width, Integer.MAX_VALUE, colored);
  }

  /**
   * @param cut the column at which longer lines are cut
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

  /** A heading. */
  public void heading(String text) {
    paragraph(text, AnsiStyle.STRONG);
  }

  /** A command to type, wrapped. */
  public void command(String text) {
    paragraph(text, AnsiStyle.ACCENT);
  }

  /** Text, wrapped. */
  public void paragraph(String text) {
    paragraph(text, AnsiStyle.PLAIN);
  }

  /** Text in a style, wrapped. */
  public void paragraph(String text, AnsiStyle style) {
    wrap(text, width).forEach(line -> line(StyledText.of(line, style)));
  }

  /** A label with wrapped text beside it. */
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

  /** A line without trailing spaces. */
  void line(List<StyledText> pieces) {
    StringBuilder line = new StringBuilder();
    int end = pieces.size();
    while (end > 0 && pieces.get(end - 1).text().isBlank()) {
      end--;
    }
    int room = cut;
    for (int i = 0; i < end; i++) {
      StyledText piece = pieces.get(i);
      String whole = i == end - 1 ? piece.text().stripTrailing() : piece.text();
      String text = DisplayWidth.truncate(whole, room);
      line.append(colored ? piece.style().paint(text) : text);
      room -= DisplayWidth.of(text);
    }
    out.println(line);
  }

  /** Wraps text at spaces and cuts words longer than a line; returns at least one line. */
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
        // At least one character, or a wide one in a narrow column would loop forever.
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
