// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.TaskRow;
import java.util.UUID;
import java.util.function.Consumer;

/** Reads all tasks of a batch, parents before their children, page by page. */
final class BatchTasks {

  private BatchTasks() {}

  static void forEach(TaskReader tasks, UUID batch, Consumer<TaskRow> action) {
    forEach(tasks, TaskFilter.all().withBatch(batch), action);
  }

  /**
   * @param filter names the batch
   */
  static void forEach(TaskReader tasks, TaskFilter filter, Consumer<TaskRow> action) {
    String after = null;
    do {
      TaskPage page =
          tasks.list(filter, TaskSort.OLDEST, new PageRequest(PageRequest.MAX_SIZE, after));
      page.tasks().forEach(action);
      after = page.nextCursor();
    } while (after != null);
  }
}
