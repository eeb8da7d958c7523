// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.util.ArrayList;
import java.util.List;

/** A table whose columns are as wide as their widest cell, two spaces apart. */
final class Table {

  /** The alignment of a column. */
  enum Side {
    LEFT,
    RIGHT
  }

  private static final int GAP = 2;

  private final List<Side> sides;
  private final List<List<StyledText>> rows = new ArrayList<>();

  Table(List<Side> sides) {
    this.sides = List.copyOf(sides);
  }

  void header(List<String> titles) {
    row(titles.stream().map(title -> StyledText.of(title, AnsiStyle.FAINT)).toList());
  }

  void row(List<StyledText> cells) {
    if (cells.size() != sides.size()) {
      throw new IllegalArgumentException(cells.size() + " cells in " + sides.size() + " columns");
    }
    rows.add(List.copyOf(cells));
  }

  /** The width of the whole table. */
  int width() {
    int width = GAP * (sides.size() - 1);
    for (int column = 0; column < sides.size(); column++) {
      width += width(column);
    }
    return width;
  }

  /** One row, padded to the full width, so that more can follow on its right. */
  List<StyledText> line(int row) {
    List<StyledText> line = new ArrayList<>();
    for (int column = 0; column < sides.size(); column++) {
      StyledText cell = rows.get(row).get(column);
      StyledText padding = StyledText.space(width(column) - cell.columns());
      if (column > 0) {
        line.add(StyledText.space(GAP));
      }
      line.addAll(
          sides.get(column) == Side.RIGHT ? List.of(padding, cell) : List.of(cell, padding));
    }
    return line;
  }

  void print(TerminalWriter writer) {
    for (int row = 0; row < rows.size(); row++) {
      writer.line(line(row));
    }
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).columns()).max().orElse(0);
  }
}
