// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.store.Page;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.store.TaskReader;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Answers with a page of tasks, and says how many there are and where the next page is. */
final class Listing {

  private final TaskReader tasks;

  Listing(TaskReader tasks) {
    this.tasks = tasks;
  }

  Response answer(
      Request request, TaskFilter filter, PageQuery asked, Function<TaskRow, JsonNode> shown) {
    Page page = page(filter, asked);
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    page.tasks().forEach(task -> array.add(shown.apply(task)));
    long total = tasks.count(filter, PageQuery.MOST_COUNTED);
    Response response = Response.ok(array).with("X-Total-Count", Long.toString(total));
    String next = page.next();
    return next == null ? response : response.with("Link", link(request, asked, next));
  }

  /** The store knows only what comes next, so pages before this one are gone through. */
  private Page page(TaskFilter filter, PageQuery asked) {
    String after = asked.after();
    int left = asked.skipped();
    while (left > 0) {
      int step = Math.min(left, PageRequest.MOST);
      after = tasks.list(filter, asked.sort(), new PageRequest(step, after)).next();
      if (after == null) {
        return new Page(List.of(), null);
      }
      left -= step;
    }
    return tasks.list(filter, asked.sort(), new PageRequest(asked.size(), after));
  }

  /** One page on: by its number as long as there is one. */
  private static String link(Request request, PageQuery asked, String after) {
    boolean byNumber = asked.isFollowedByNumber() && request.query().value("page").isPresent();
    return byNumber ? Links.page(request, asked.number() + 1) : Links.next(request, after);
  }
}
