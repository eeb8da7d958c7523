// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.store;

import dev.perdure.engine.task.TaskRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of tasks.
 *
 * @param next where the next page begins, or null when this is the last
 */
public record Page(List<TaskRow> tasks, @Nullable String next) {

  public Page {
    tasks = List.copyOf(tasks);
  }
}
