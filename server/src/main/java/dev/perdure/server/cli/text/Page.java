// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.text;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Paper of a certain width to write on. Only here does colour turn into control sequences. */
public final class Page {

  private final PrintStream out;
  private final int width;
  private final int cut;
  private final boolean colored;

  public Page(PrintStream out, int width, boolean colored) {
    this(out, width, Integer.MAX_VALUE, colored);
  }

  /**
   * @param cut where lines end that are longer all the same
   */
  Page(PrintStream out, int width, int cut, boolean colored) {
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
    paragraph(text, Tone.STRONG);
  }

  /** Something to type, broken into lines. */
  public void command(String text) {
    paragraph(text, Tone.ACCENT);
  }

  /** Text, broken into lines. */
  public void paragraph(String text) {
    paragraph(text, Tone.PLAIN);
  }

  /** Text of a tone, broken into lines. */
  public void paragraph(String text, Tone tone) {
    wrap(text, width).forEach(line -> line(Piece.of(line, tone)));
  }

  /** A label, and beside it text broken into lines. */
  void field(String label, int labelColumns, String text) {
    field(Piece.of(label, Tone.FAINT), labelColumns, text);
  }

  void field(Piece label, int labelColumns, String text) {
    List<String> lines = wrap(text, width - labelColumns);
    line(label, Piece.space(labelColumns - label.columns()), Piece.of(lines.getFirst()));
    for (String next : lines.subList(1, lines.size())) {
      line(Piece.space(labelColumns), Piece.of(next));
    }
  }

  void line(Piece... pieces) {
    line(List.of(pieces));
  }

  /** A line, without the blanks at its end. */
  void line(List<Piece> pieces) {
    StringBuilder line = new StringBuilder();
    int end = pieces.size();
    while (end > 0 && pieces.get(end - 1).text().isBlank()) {
      end--;
    }
    int room = cut;
    for (int i = 0; i < end; i++) {
      Piece piece = pieces.get(i);
      String whole = i == end - 1 ? piece.text().stripTrailing() : piece.text();
      String text = Columns.cut(whole, room);
      line.append(colored ? piece.tone().paint(text) : text);
      room -= Columns.of(text);
    }
    out.println(line);
  }

  /** Breaks text at its blanks; a word longer than a line is cut. At least one line. */
  static List<String> wrap(String text, int columns) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.strip().split(" +", -1)) {
      String rest = word;
      if (Columns.of(line.toString()) + 1 + Columns.of(rest) > columns && !line.isEmpty()) {
        lines.add(line.toString());
        line.setLength(0);
      }
      while (!rest.isEmpty() && Columns.of(rest) > columns) {
        // One at least: a wide letter on a narrow page would never fit.
        int least = rest.offsetByCodePoints(0, 1);
        int part = Math.max(least, Columns.cut(rest, columns).length());
        lines.add(rest.substring(0, part));
        rest = rest.substring(part);
      }
      line.append(line.isEmpty() ? "" : " ").append(rest);
    }
    lines.add(line.toString());
    return lines;
  }
}
