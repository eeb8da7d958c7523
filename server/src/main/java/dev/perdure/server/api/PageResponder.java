// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Responds with a page of a list, the total count and a link to the next page. */
final class PageResponder {

  private PageResponder() {}

  /**
   * One page as the store reads it.
   *
   * @param nextCursor null on the last page
   */
  record Page<T>(List<T> entries, @Nullable String nextCursor) {}

  static <T> Response respond(
      Request request,
      PageQuery query,
      Function<PageRequest, Page<T>> reader,
      long total,
      Function<T, JsonNode> toJson) {
    Page<T> page = page(query, reader);
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    page.entries().forEach(entry -> array.add(toJson.apply(entry)));
    Response response = Response.ok(array).withHeader("X-Total-Count", Long.toString(total));
    String next = page.nextCursor();
    return next == null ? response : response.withHeader("Link", nextLink(request, query, next));
  }

  /** The store has cursors only, so a numbered page reads the pages before it. */
  private static <T> Page<T> page(PageQuery query, Function<PageRequest, Page<T>> reader) {
    String after = query.after();
    int left = query.offset();
    while (left > 0) {
      int step = Math.min(left, PageRequest.MAX_SIZE);
      after = reader.apply(new PageRequest(step, after)).nextCursor();
      if (after == null) {
        return new Page<>(List.of(), null);
      }
      left -= step;
    }
    return reader.apply(new PageRequest(query.pageSize(), after));
  }

  /** The next page, by number when the request used a number and there are further ones. */
  private static String nextLink(Request request, PageQuery query, String after) {
    boolean byNumber = query.hasNextNumberedPage() && request.query().value("page").isPresent();
    return byNumber
        ? LinkHeader.nextPage(request, query.pageNumber() + 1)
        : LinkHeader.next(request, after);
  }
}
