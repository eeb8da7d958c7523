// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Writes lines of a fixed width; the only class that writes color codes. */
public final class TerminalWriter {

  /** The width of text that is neither cut nor wrapped. */
  public static final int UNLIMITED = Integer.MAX_VALUE / 2;

  /** A field of a policy, such as {@code "max_retries": 5}, in a sentence. */
  private static final Pattern JSON_FIELD = Pattern.compile("(\"\\w+\":) (?=\\S)");

  static final char UNBREAKABLE_SPACE = '\u00A0';

  private final PrintStream out;
  private final int width;
  private final int textWidth;
  private final int cut;
  private final boolean colored;

  /**
   * @param width the width of charts
   * @param textWidth the width of paragraphs and tables
   */
  public TerminalWriter(PrintStream out, int width, int textWidth, boolean colored) {
    this(out, width, textWidth, UNLIMITED, colored);
  }

  private TerminalWriter(PrintStream out, int width, int textWidth, int cut, boolean colored) {
    this.out = out;
    this.width = width;
    this.textWidth = textWidth;
    this.cut = cut;
    this.colored = colored;
  }

  /** A writer that cuts every line at the width. */
  static TerminalWriter cutting(PrintStream out, int width, boolean colored) {
    return new TerminalWriter(out, width, width, width, colored);
  }

  int width() {
    return width;
  }

  int textWidth() {
    return textWidth;
  }

  /** Whether text is neither cut nor wrapped. */
  boolean isUnlimited() {
    return textWidth == UNLIMITED;
  }

  public void blank() {
    out.println();
  }

  /** A heading. */
  public void heading(String text) {
    paragraph(text, AnsiStyle.STRONG);
  }

  /** A command or a key to copy, so it is never wrapped. */
  public void command(String text) {
    line(StyledText.of(text, AnsiStyle.ACCENT));
  }

  /** A hint that ends in a command to copy. */
  void hint(String text, String command) {
    line(StyledText.of(text + " " + command, AnsiStyle.FAINT));
  }

  /** Text, wrapped. */
  public void paragraph(String text) {
    paragraph(text, AnsiStyle.PLAIN);
  }

  /** Text in a style, wrapped. */
  public void paragraph(String text, AnsiStyle style) {
    wrap(text, textWidth).forEach(line -> line(StyledText.of(line, style)));
  }

  /** A label with wrapped text beside it. */
  void field(String label, int labelColumns, String text) {
    field(StyledText.of(label, AnsiStyle.FAINT), labelColumns, text);
  }

  void field(StyledText label, int labelColumns, String text) {
    List<String> lines = wrap(text, textWidth - labelColumns);
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

  /** A label with JSON, an id or the like beside it, in one line so that it can be copied. */
  void copyableField(String label, int labelColumns, String text) {
    line(
        StyledText.of(label, AnsiStyle.FAINT),
        StyledText.space(labelColumns - label.length()),
        StyledText.of(text));
  }

  /** Wraps text at spaces, never inside a word or a JSON field; returns at least one line. */
  public static List<String> wrap(String text, int columns) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    String joined = JSON_FIELD.matcher(text.strip()).replaceAll("$1" + UNBREAKABLE_SPACE);
    for (String word : joined.split(" +", -1)) {
      if (!line.isEmpty()
          && DisplayWidth.of(line.toString()) + 1 + DisplayWidth.of(word) > columns) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word.replace(UNBREAKABLE_SPACE, ' '));
    }
    lines.add(line.toString());
    return lines;
  }
}
