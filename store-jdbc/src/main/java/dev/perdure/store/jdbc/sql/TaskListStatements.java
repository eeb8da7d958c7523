// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.query.TaskSort.Cursor;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.TaskState;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the statement for a list or a count of tasks by the index that fits the filter and the
 * sort order.
 */
public final class TaskListStatements {

  private static final Set<TaskState> RETRIES = Set.of(TaskState.RETRY_PENDING);
  private static final Set<DisplayStatus> RETRY_STATUS = Set.of(DisplayStatus.RETRY_PENDING);
  private static final Set<DisplayStatus> HELD =
      EnumSet.of(DisplayStatus.WAITING, DisplayStatus.PAUSED, DisplayStatus.PARKED);

  private TaskListStatements() {}

  public static String list(TaskFilter filter, TaskSort sort) {
    boolean inBatch = filter.batch() != null;
    String source =
        inBatch ? "_batch" : isHeld(filter) ? "_held" : isFailed(filter) ? "_failed" : "";
    return switch (sort) {
      case NEWEST -> "task_list.list" + source;
      case OLDEST -> "task_list.list_oldest" + source;
      case NEXT_RETRY -> "task_list.list_retries";
      case LAST_ENDED -> "task_list.list_ended";
    };
  }

  public static String count(TaskFilter filter) {
    if (filter.batch() != null) {
      return "task_list.count_batch";
    }
    if (filter.states().equals(RETRIES) || filter.statuses().equals(RETRY_STATUS)) {
      return "task_list.count_retries";
    }
    if (isHeld(filter)) {
      return "task_list.count_held";
    }
    if (isFailed(filter)) {
      return "task_list.count_failed";
    }
    return isLive(filter) ? "task_list.count_live" : "task_list.count";
  }

  /** Where {@link #count} begins; null when that statement has no parameters for it. */
  public static @Nullable Cursor countStart(TaskFilter filter) {
    return switch (count(filter)) {
      case "task_list.count_live" -> null;
      case "task_list.count_retries" -> TaskSort.NEXT_RETRY.cursor(null);
      default -> TaskSort.NEWEST.cursor(null);
    };
  }

  private static boolean isFailed(TaskFilter filter) {
    return filter.statuses().equals(Set.of(DisplayStatus.FAILURE))
        || filter.states().equals(Set.of(TaskState.FAILURE));
  }

  private static boolean isLive(TaskFilter filter) {
    boolean liveStatuses =
        !filter.statuses().isEmpty()
            && filter.statuses().stream()
                .flatMap(status -> status.states().stream())
                .allMatch(TaskState::isLive);
    boolean liveStates =
        !filter.states().isEmpty() && filter.states().stream().allMatch(TaskState::isLive);
    return liveStatuses || liveStates;
  }

  private static boolean isHeld(TaskFilter filter) {
    return !filter.statuses().isEmpty() && HELD.containsAll(filter.statuses());
  }
}
