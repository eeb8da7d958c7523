// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.cli.graph.GraphNode;
import dev.perdure.client.TaskInfo;
import dev.perdure.client.TaskStatus;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Sums up the tasks of a large graph, level by level. */
final class LevelText {

  private static final int MAX_LEVELS = 12;
  private static final int MAX_BAR_WIDTH = 20;
  private static final int MIN_BAR_WIDTH = 8;
  private static final int MAX_NAMED = 3;
  private static final int GAP = 2;

  private LevelText() {}

  /** The lines; neighboring levels share a line if there are many. */
  static List<List<StyledText>> lines(List<List<TaskInfo>> levels, int width) {
    int step = Math.max(1, Math.ceilDiv(levels.size(), MAX_LEVELS));
    List<String> titles = new ArrayList<>();
    List<List<TaskInfo>> groups = new ArrayList<>();
    for (int from = 0; from < levels.size(); from += step) {
      int to = Math.min(levels.size(), from + step);
      titles.add(to - from == 1 ? "level " + to : "levels %d–%d".formatted(from + 1, to));
      groups.add(levels.subList(from, to).stream().flatMap(List::stream).toList());
    }
    int label = titles.stream().mapToInt(String::length).max().orElse(0) + GAP;
    int bar = Math.clamp(width / 4, MIN_BAR_WIDTH, MAX_BAR_WIDTH);
    List<List<StyledText>> lines = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      StyledText title = StyledText.of(titles.get(i), AnsiStyle.FAINT);
      List<List<StyledText>> described = describe(groups.get(i), bar, width - label);
      for (int j = 0; j < described.size(); j++) {
        StyledText shown = j == 0 ? title : StyledText.of("");
        List<StyledText> line = new ArrayList<>(List.of(shown));
        line.add(StyledText.space(label - shown.columns()));
        line.addAll(described.get(j));
        lines.add(line);
      }
    }
    return lines;
  }

  private static List<List<StyledText>> describe(List<TaskInfo> tasks, int barWidth, int width) {
    Map<TaskStatus, Long> counts = new EnumMap<>(TaskStatus.class);
    tasks.forEach(task -> counts.merge(task.status(), 1L, Long::sum));
    List<StyledText> bar = StatusBar.of(counts, tasks.size(), barWidth);
    bar.add(StyledText.space(GAP));
    int indent = barWidth + GAP;
    List<List<StyledText>> lines = StyledText.wrap(bar, StatusBar.counts(counts), width);
    String failed = failed(tasks);
    if (!failed.isEmpty()) {
      StyledText names = StyledText.of(failed, AnsiStyle.BAD);
      lines.add(List.of(StyledText.space(indent), FittedTable.truncate(names, width - indent)));
    }
    return lines;
  }

  /** The tasks that failed themselves; others failed because of these. */
  private static String failed(List<TaskInfo> tasks) {
    List<String> names =
        tasks.stream().filter(TaskLabels::failedByItself).map(GraphNode::label).toList();
    if (names.size() <= MAX_NAMED) {
      return names.isEmpty() ? "" : "✗ " + String.join(", ", names);
    }
    return "✗ %s and %s more"
        .formatted(
            String.join(", ", names.subList(0, MAX_NAMED)),
            NumberFormatting.count(names.size() - MAX_NAMED));
  }
}
