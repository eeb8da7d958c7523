// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Responds with a page of tasks, the total count and a link to the next page. */
final class TaskListResponder {

  private final TaskReader tasks;

  TaskListResponder(TaskReader tasks) {
    this.tasks = tasks;
  }

  Response respond(
      Request request, TaskFilter filter, PageQuery query, Function<TaskRow, JsonNode> toJson) {
    TaskPage page = page(filter, query);
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    page.tasks().forEach(task -> array.add(toJson.apply(task)));
    long total = tasks.count(filter, PageQuery.MAX_COUNTED);
    Response response = Response.ok(array).withHeader("X-Total-Count", Long.toString(total));
    String next = page.nextCursor();
    return next == null ? response : response.withHeader("Link", nextLink(request, query, next));
  }

  /** The store has cursors only, so a numbered page reads the pages before it. */
  private TaskPage page(TaskFilter filter, PageQuery query) {
    String after = query.after();
    int left = query.offset();
    while (left > 0) {
      int step = Math.min(left, PageRequest.MAX_SIZE);
      after = tasks.list(filter, query.sort(), new PageRequest(step, after)).nextCursor();
      if (after == null) {
        return new TaskPage(List.of(), null);
      }
      left -= step;
    }
    return tasks.list(filter, query.sort(), new PageRequest(query.pageSize(), after));
  }

  /** The next page, by number when the request used a number and there are further ones. */
  private static String nextLink(Request request, PageQuery query, String after) {
    boolean byNumber = query.hasNextNumberedPage() && request.query().value("page").isPresent();
    return byNumber
        ? LinkHeader.nextPage(request, query.pageNumber() + 1)
        : LinkHeader.next(request, after);
  }
}
