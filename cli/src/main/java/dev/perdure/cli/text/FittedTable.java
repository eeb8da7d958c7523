// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A table that fits the width of the output. Add the most important columns first: columns that do
 * not fit are left out, and text columns are cut or wrapped to the space that is left.
 */
final class FittedTable<T> {

  private static final int GAP = 2;
  private static final int MIN_CUT_WIDTH = 12;
  private static final String ELLIPSIS = "…";

  private final List<Column<T>> columns = new ArrayList<>();

  /** What happens to a text that does not fit. */
  private enum Overflow {
    NONE,
    CUT,
    WRAP,
    /** Wraps, in the room that all other columns leave. */
    FILL
  }

  private record Column<T>(
      String title, Table.Side side, Overflow overflow, Function<T, StyledText> cell, int room) {

    Column(String title, Table.Side side, Overflow overflow, Function<T, StyledText> cell) {
      this(title, side, overflow, cell, TerminalWriter.UNLIMITED);
    }

    Column<T> limitedTo(int columns) {
      return new Column<>(title, side, overflow, cell, columns);
    }

    /** With the room that was reserved for it, and the rest. */
    Column<T> filling(List<T> rows, int rest) {
      int width = width(rows);
      return limitedTo(Math.min(width, Math.min(width, MIN_CUT_WIDTH) + rest));
    }

    List<StyledText> lines(T row) {
      StyledText text = cell.apply(row);
      return overflow == Overflow.WRAP || overflow == Overflow.FILL
          ? TerminalWriter.wrap(text.text(), room).stream()
              .map(line -> StyledText.of(line, text.style()))
              .toList()
          : List.of(truncate(text, room));
    }

    int width(List<T> rows) {
      int widest = rows.stream().mapToInt(row -> cell.apply(row).columns()).max().orElse(0);
      return widest == 0 ? 0 : Math.max(widest, title.length());
    }
  }

  FittedTable<T> left(String title, Function<T, StyledText> cell) {
    columns.add(new Column<>(title, Table.Side.LEFT, Overflow.NONE, cell));
    return this;
  }

  FittedTable<T> right(String title, Function<T, StyledText> cell) {
    columns.add(new Column<>(title, Table.Side.RIGHT, Overflow.NONE, cell));
    return this;
  }

  /** A column of text that may be cut. */
  FittedTable<T> text(String title, Function<T, StyledText> cell) {
    columns.add(new Column<>(title, Table.Side.LEFT, Overflow.CUT, cell));
    return this;
  }

  /** A column of text that continues on the next line. */
  FittedTable<T> wrapped(String title, Function<T, StyledText> cell) {
    columns.add(new Column<>(title, Table.Side.LEFT, Overflow.WRAP, cell));
    return this;
  }

  /** A column of text that leaves the other columns their room; a table has at most one. */
  FittedTable<T> fill(String title, Function<T, StyledText> cell) {
    columns.add(new Column<>(title, Table.Side.LEFT, Overflow.FILL, cell));
    return this;
  }

  /** Prints the columns that are not empty and that fit. */
  void print(TerminalWriter writer, List<T> rows) {
    List<Column<T>> shown = new ArrayList<>();
    int room = writer.textWidth() + GAP;
    for (Column<T> column : columns) {
      if (column.overflow == Overflow.FILL) {
        room -= Math.min(column.width(rows), MIN_CUT_WIDTH) + GAP;
      }
    }
    for (Column<T> column : columns) {
      if (column.overflow == Overflow.FILL) {
        shown.add(column);
        continue;
      }
      int width = column.width(rows) + GAP;
      boolean limited =
          column.overflow != Overflow.NONE && width > room && room - GAP >= MIN_CUT_WIDTH;
      int cut = limited ? room : width;
      if (width > GAP && cut <= room) {
        shown.add(column.limitedTo(cut - GAP));
        room -= cut;
      }
    }
    int rest = room;
    shown.replaceAll(
        column -> column.overflow == Overflow.FILL ? column.filling(rows, rest) : column);
    Table table = new Table(shown.stream().map(Column::side).toList());
    table.header(shown.stream().map(Column::title).toList());
    for (T row : rows) {
      addRow(table, shown.stream().map(column -> column.lines(row)).toList());
    }
    table.print(writer);
  }

  /** Adds a row for each line of the cells. */
  private static void addRow(Table table, List<List<StyledText>> cells) {
    int height = cells.stream().mapToInt(List::size).max().orElse(0);
    for (int line = 0; line < height; line++) {
      int current = line;
      table.row(
          cells.stream()
              .map(cell -> current < cell.size() ? cell.get(current) : StyledText.of(""))
              .toList());
    }
  }

  static StyledText truncate(StyledText piece, int columns) {
    if (piece.columns() <= columns) {
      return piece;
    }
    return StyledText.of(
        DisplayWidth.truncate(piece.text(), columns - 1) + ELLIPSIS, piece.style());
  }
}
