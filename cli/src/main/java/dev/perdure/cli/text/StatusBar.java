// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.client.TaskStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Shows how many tasks are in each status, as a bar and in words. */
final class StatusBar {

  /** The statuses from the left to the right of a bar. */
  private static final List<TaskStatus> FILLED =
      List.of(
          TaskStatus.SUCCESS,
          TaskStatus.FAILURE,
          TaskStatus.CANCELED,
          TaskStatus.RUNNING,
          TaskStatus.CLAIMED);

  private StatusBar() {}

  /** Full blocks for tasks that have ended, light ones for those that run, dots for the rest. */
  static List<StyledText> of(Map<TaskStatus, Long> counts, long total, int columns) {
    List<StyledText> bar = new ArrayList<>();
    long before = 0;
    int drawn = 0;
    for (TaskStatus status : FILLED) {
      before += counts.getOrDefault(status, 0L);
      int until = (int) Math.min(columns, columns * before / Math.max(1, total));
      String block = status.isEnded() ? "█" : "▒";
      bar.add(StyledText.of(block.repeat(Math.max(0, until - drawn)), TaskLabels.style(status)));
      drawn = Math.max(drawn, until);
    }
    bar.add(StyledText.of("░".repeat(Math.max(0, columns - drawn)), AnsiStyle.FAINT));
    return bar;
  }

  /** The counts that are not zero, such as {@code 3 Success}. */
  static List<StyledText> counts(Map<TaskStatus, Long> counts) {
    List<StyledText> pieces = new ArrayList<>();
    Stream.concat(FILLED.stream(), Stream.of(TaskStatus.values()))
        .distinct()
        .forEach(status -> add(pieces, status, counts.getOrDefault(status, 0L)));
    return pieces;
  }

  private static void add(List<StyledText> pieces, TaskStatus status, long count) {
    if (count > 0) {
      pieces.add(
          StyledText.of(
              NumberFormatting.count(count) + " " + status.text(), TaskLabels.style(status)));
    }
  }
}
