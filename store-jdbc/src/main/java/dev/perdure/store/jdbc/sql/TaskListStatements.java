// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.TaskState;
import java.util.Set;

/**
 * Chooses the statement for a list or a count of tasks by the index that fits the filter and the
 * sort order.
 */
public final class TaskListStatements {

  private static final Set<TaskState> RETRIES = Set.of(TaskState.RETRY_PENDING);

  private TaskListStatements() {}

  public static String list(TaskFilter filter, TaskSort sort) {
    boolean all = filter.batch() == null;
    return switch (sort) {
      case NEWEST -> all ? "task_list.list" : "task_list.list_batch";
      case OLDEST -> all ? "task_list.list_oldest" : "task_list.list_oldest_batch";
      case NEXT_RETRY -> "task_list.list_retries";
      case LAST_ENDED -> "task_list.list_ended";
    };
  }

  public static String count(TaskFilter filter) {
    if (filter.batch() != null) {
      return "task_list.count_batch";
    }
    return filter.states().equals(RETRIES) ? "task_list.count_retries" : "task_list.count";
  }
}
