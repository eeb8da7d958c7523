// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.TaskRow;
import java.util.function.Consumer;

/** Reads the tasks of a batch, parents before their children, page by page. */
final class BatchTasks {

  private BatchTasks() {}

  /**
   * Passes on the tasks until there are {@code max} or a few more.
   *
   * @param filter names the batch
   * @return true when there are further tasks
   */
  static boolean forEach(TaskReader tasks, TaskFilter filter, int max, Consumer<TaskRow> action) {
    String after = null;
    int read = 0;
    do {
      TaskPage page =
          tasks.list(filter, TaskSort.OLDEST, new PageRequest(PageRequest.MAX_SIZE, after));
      page.tasks().forEach(action);
      read += page.tasks().size();
      after = page.nextCursor();
    } while (after != null && read < max);
    return after != null;
  }
}
