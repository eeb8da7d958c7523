// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A table that fits its page. Its columns stand in the order of their importance: those that have
 * no room any more are left out, and those that may be are cut to the room there is.
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

  /** Text of any length. */
  FittedTable<T> text(String title, Function<T, StyledText> cell) {
    columns.add(new Column<>(title, Table.Side.LEFT, true, cell));
    return this;
  }

  /** Prints the columns that have something to say and room to say it. */
  void print(TerminalWriter terminalWriter, List<T> rows) {
    List<Column<T>> shown = new ArrayList<>();
    int room = terminalWriter.width() + GAP;
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
    table.print(terminalWriter);
  }

  private static <T> Column<T> cutTo(Column<T> column, int width) {
    return new Column<>(
        column.title, column.side, column.cut, row -> truncate(column.cell.apply(row), width));
  }

  static StyledText truncate(StyledText styledText, int columns) {
    if (styledText.columns() <= columns) {
      return styledText;
    }
    return StyledText.of(
        DisplayWidth.truncate(styledText.text(), columns - 1) + ELLIPSIS, styledText.style());
  }
}
