// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.cli.graph.GraphLayout;
import dev.perdure.cli.graph.GraphNode;
import dev.perdure.cli.graph.GraphRow;
import dev.perdure.cli.graph.TaskGraph;
import dev.perdure.client.TaskInfo;
import dev.perdure.client.TaskStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Draws the tasks of a batch and their dependencies, or sums them up if there are too many. */
final class GraphText {

  /** More rows than this do not help anyone. */
  static final int MAX_ROWS = 50;

  private static final int GAP = 2;

  private GraphText() {}

  /**
   * The lines of a drawing, which never exceed the width.
   *
   * @param maxRows sum up the tasks by level if the drawing has more rows
   */
  static List<List<StyledText>> lines(TaskGraph graph, int maxRows, int width, Instant now) {
    return rows(graph, maxRows)
        .map(rows -> drawing(rows, width, now))
        .orElseGet(() -> LevelText.lines(graph.levels(), width));
  }

  private static Optional<List<GraphRow>> rows(TaskGraph graph, int maxRows) {
    List<GraphNode> nodes = graph.merged();
    return nodes.size() > maxRows ? Optional.empty() : GraphLayout.rows(nodes);
  }

  private static List<List<StyledText>> drawing(List<GraphRow> rows, int width, Instant now) {
    int graphWidth = rows.stream().mapToInt(row -> columns(graph(row))).max().orElse(0);
    int withoutNotes = rows.stream().mapToInt(row -> columns(node(row))).max().orElse(0);
    List<List<StyledText>> columns = new ArrayList<>();
    columns.add(rows.stream().map(GraphText::status).toList());
    addIfFits(
        columns,
        rows.stream().map(row -> id(row, width)).toList(),
        width - Math.min(withoutNotes, width / 2));
    addIfFits(columns, rows.stream().map(row -> when(row, now)).toList(), width - graphWidth);
    int room = Math.min(graphWidth, width - columns.stream().mapToInt(GraphText::width).sum());
    List<List<StyledText>> lines = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      List<StyledText> line = truncate(graph(rows.get(i)), room);
      line.add(StyledText.space(room - columns(line)));
      for (List<StyledText> column : columns) {
        StyledText cell = column.get(i);
        line.add(StyledText.space(GAP));
        line.add(cell);
        line.add(StyledText.space(widest(column) - cell.columns()));
      }
      lines.add(line);
    }
    legend(rows)
        .forEach(
            text ->
                lines.add(
                    List.of(FittedTable.truncate(StyledText.of(text, AnsiStyle.FAINT), width))));
    return lines;
  }

  /** Explains the signs that are not obvious. */
  private static List<String> legend(List<GraphRow> rows) {
    String rails = rows.stream().map(GraphRow::rails).collect(Collectors.joining());
    List<String> legend = new ArrayList<>();
    if (rails.contains("╌") || rails.contains("⇣")) {
      legend.add((rails.contains("╌") ? "╌" : "⇣") + " starts even if the task before it fails");
    }
    if (rows.stream().anyMatch(row -> !row.note().isEmpty())) {
      legend.add("+ also depends on these tasks");
    }
    if (!legend.isEmpty()) {
      legend.addFirst("");
    }
    return legend;
  }

  private static void addIfFits(List<List<StyledText>> columns, List<StyledText> column, int room) {
    if (columns.stream().mapToInt(GraphText::width).sum() + width(column) <= room) {
      columns.add(column);
    }
  }

  /** The width of a column with the space before it. */
  private static int width(List<StyledText> column) {
    return GAP + widest(column);
  }

  private static int widest(List<StyledText> column) {
    return column.stream().mapToInt(StyledText::columns).max().orElse(0);
  }

  private static int columns(List<StyledText> pieces) {
    return pieces.stream().mapToInt(StyledText::columns).sum();
  }

  private static List<StyledText> graph(GraphRow row) {
    List<StyledText> pieces = new ArrayList<>(node(row));
    if (!row.note().isEmpty()) {
      pieces.add(StyledText.of("  + " + row.note(), AnsiStyle.FAINT));
    }
    return pieces;
  }

  private static List<StyledText> node(GraphRow row) {
    GraphNode node = row.node();
    boolean plain = node.task().isPresent() && node.size() == 1;
    return List.of(
        StyledText.of(row.rails(), AnsiStyle.FAINT),
        node.task().isEmpty()
            ? StyledText.of("◇ ", AnsiStyle.FAINT)
            : StyledText.of(mark(node.status()) + " ", TaskLabels.style(node.status())),
        StyledText.of(node.label(), plain ? AnsiStyle.PLAIN : AnsiStyle.FAINT));
  }

  private static List<StyledText> truncate(List<StyledText> pieces, int width) {
    List<StyledText> cut = new ArrayList<>();
    int room = width;
    for (StyledText piece : pieces) {
      StyledText fitting = room > 0 ? FittedTable.truncate(piece, room) : StyledText.of("");
      cut.add(fitting);
      // What follows a piece that was cut would look like its end.
      room = fitting.columns() < piece.columns() ? 0 : room - fitting.columns();
    }
    return cut;
  }

  /** One character for a status. */
  static String mark(TaskStatus status) {
    return switch (status) {
      case WAITING -> "·";
      case PENDING -> "○";
      case CLAIMED -> "◐";
      case RUNNING -> "●";
      case RETRY_PENDING -> "↻";
      case PAUSED -> "‖";
      case PARKED -> "!";
      case SUCCESS -> "✓";
      case FAILURE -> "✗";
      case CANCELED -> "–";
      case UNKNOWN -> "?";
    };
  }

  private static StyledText status(GraphRow row) {
    return row.node().task().map(TaskLabels::status).orElse(StyledText.of(""));
  }

  private static StyledText id(GraphRow row, int width) {
    boolean whole = width == TerminalWriter.UNLIMITED;
    return row.node().size() > 1
        ? StyledText.of("")
        : StyledText.of(
            whole ? row.node().id().toString() : ShortId.of(row.node().id()), AnsiStyle.FAINT);
  }

  private static StyledText when(GraphRow row, Instant now) {
    return Stream.of(row.node())
        .filter(node -> node.size() == 1 && node.status() != TaskStatus.PAUSED)
        .flatMap(node -> node.task().stream())
        .map((TaskInfo task) -> TaskLabels.shortWhen(task, now))
        .findFirst()
        .orElse(StyledText.of(""));
  }
}
