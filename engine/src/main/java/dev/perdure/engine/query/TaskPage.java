// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.TaskRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of tasks.
 *
 * @param nextCursor where the next page begins; null when this is the last page
 */
public record TaskPage(List<TaskRow> tasks, @Nullable String nextCursor) {

  public TaskPage {
    tasks = List.copyOf(tasks);
  }
}
