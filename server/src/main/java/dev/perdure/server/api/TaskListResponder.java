// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.ScanLimit;
import dev.perdure.engine.query.TaskCount;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * Responds with a page of tasks, the total count and a link to the next page. If the page ends at
 * the scan limit, headers say how far the list was read.
 */
final class TaskListResponder {

  private final TaskReader tasks;
  private final ScanLimit scanLimit;

  TaskListResponder(TaskReader tasks) {
    this(tasks, ScanLimit.DEFAULT);
  }

  TaskListResponder(TaskReader tasks, ScanLimit scanLimit) {
    this.tasks = tasks;
    this.scanLimit = scanLimit;
  }

  Response respond(
      Request request, TaskFilter filter, PageQuery query, Function<TaskRow, JsonNode> toJson) {
    TaskCount total = tasks.count(filter, PageQuery.MAX_COUNTED, scanLimit);
    ScanLimit limitOfRead = scanLimit.dividedBy(PageResponder.reads(query));
    Response response =
        PageResponder.respond(
            request,
            query,
            page -> page(filter, query, page.withScanLimit(limitOfRead)),
            total.tasks(),
            toJson);
    return total.exact() ? response : response.withHeader("X-Total-Exact", "false");
  }

  private PageResponder.Page<TaskRow> page(TaskFilter filter, PageQuery query, PageRequest page) {
    TaskPage found = tasks.list(filter, query.sort(), page);
    PageResponder.ScanStop stop =
        found.lookedAt() == null || found.reached() == null
            ? null
            : new PageResponder.ScanStop(found.lookedAt(), found.reached());
    return new PageResponder.Page<>(found.tasks(), found.nextCursor(), stop);
  }
}
