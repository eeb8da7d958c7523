// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Responds with a page of tasks, the total count and a link to the next page. */
final class TaskListResponder {

  private final TaskReader tasks;

  TaskListResponder(TaskReader tasks) {
    this.tasks = tasks;
  }

  Response respond(
      Request request, TaskFilter filter, PageQuery query, Function<TaskRow, JsonNode> toJson) {
    return PageResponder.respond(
        request,
        query,
        page -> {
          TaskPage found = tasks.list(filter, query.sort(), page);
          return new PageResponder.Page<>(found.tasks(), found.nextCursor());
        },
        tasks.count(filter, PageQuery.MAX_COUNTED),
        toJson);
  }
}
