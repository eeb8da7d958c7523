// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A table that fits the width of the output. Add the most important columns first: columns that do
 * not fit are left out, and text columns are cut to the space that is left.
 */
final class FittedTable<T> {

  private static final int GAP = 2;
  private static final int MIN_CUT_WIDTH = 12;
  private static final String ELLIPSIS = "…";

  private final List<Column<T>> columns = new ArrayList<>();

  private record Column<T>(
      String title, Table.Side side, boolean cut, Function<T, StyledText> cell) {

    int width(List<T> rows) {
      int widest = rows.stream().mapToInt(row -> cell.apply(row).columns()).max().orElse(0);
      return widest == 0 ? 0 : Math.max(widest, title.length());
    }
  }

  FittedTable<T> left(String title, Function<T, StyledText> cell) {
    columns.add(new Column<>(title, Table.Side.LEFT, false, cell));
    return this;
  }

  FittedTable<T> right(String title, Function<T, StyledText> cell) {
    columns.add(new Column<>(title, Table.Side.RIGHT, false, cell));
    return this;
  }

  /** A column of text that may be cut. */
  FittedTable<T> text(String title, Function<T, StyledText> cell) {
    columns.add(new Column<>(title, Table.Side.LEFT, true, cell));
    return this;
  }

  /** Prints the columns that are not empty and that fit. */
  void print(TerminalWriter writer, List<T> rows) {
    List<Column<T>> shown = new ArrayList<>();
    int room = writer.width() + GAP;
    for (Column<T> column : columns) {
      int width = column.width(rows) + GAP;
      int cut = column.cut && width > room && room - GAP >= MIN_CUT_WIDTH ? room : width;
      if (width > GAP && cut <= room) {
        shown.add(cutTo(column, cut - GAP));
        room -= cut;
      }
    }
    Table table = new Table(shown.stream().map(Column::side).toList());
    table.header(shown.stream().map(Column::title).toList());
    for (T row : rows) {
      table.row(shown.stream().map(column -> column.cell.apply(row)).toList());
    }
    table.print(writer);
  }

  private static <T> Column<T> cutTo(Column<T> column, int width) {
    return new Column<>(
        column.title, column.side, column.cut, row -> truncate(column.cell.apply(row), width));
  }

  static StyledText truncate(StyledText piece, int columns) {
    if (piece.columns() <= columns) {
      return piece;
    }
    return StyledText.of(
        DisplayWidth.truncate(piece.text(), columns - 1) + ELLIPSIS, piece.style());
  }
}
