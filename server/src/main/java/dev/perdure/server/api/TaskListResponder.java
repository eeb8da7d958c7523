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

/** Answers with a page of tasks, and says how many there are and where the next page is. */
final class TaskListResponder {

  private final TaskReader tasks;

  TaskListResponder(TaskReader tasks) {
    this.tasks = tasks;
  }

  Response respond(
      Request request, TaskFilter filter, PageQuery asked, Function<TaskRow, JsonNode> shown) {
    TaskPage page = page(filter, asked);
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    page.tasks().forEach(task -> array.add(shown.apply(task)));
    long total = tasks.count(filter, PageQuery.MAX_COUNTED);
    Response response = Response.ok(array).withHeader("X-Total-Count", Long.toString(total));
    String next = page.nextCursor();
    return next == null ? response : response.withHeader("Link", nextLink(request, asked, next));
  }

  /** The store knows only what comes next, so pages before this one are gone through. */
  private TaskPage page(TaskFilter filter, PageQuery asked) {
    String after = asked.after();
    int left = asked.offset();
    while (left > 0) {
      int step = Math.min(left, PageRequest.MAX_SIZE);
      after = tasks.list(filter, asked.sort(), new PageRequest(step, after)).nextCursor();
      if (after == null) {
        return new TaskPage(List.of(), null);
      }
      left -= step;
    }
    return tasks.list(filter, asked.sort(), new PageRequest(asked.pageSize(), after));
  }

  /** One page on: by its number as long as there is one. */
  private static String nextLink(Request request, PageQuery asked, String after) {
    boolean byNumber = asked.hasNextNumberedPage() && request.query().value("page").isPresent();
    return byNumber
        ? LinkHeader.nextPage(request, asked.pageNumber() + 1)
        : LinkHeader.next(request, after);
  }
}
