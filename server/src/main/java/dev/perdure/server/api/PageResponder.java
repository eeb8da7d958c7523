// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.policy.InstantText;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
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
   * @param scanStop where the page ends, if it ends at the scan limit; else null
   */
  record Page<T>(List<T> entries, @Nullable String nextCursor, @Nullable ScanStop scanStop) {}

  /**
   * Where a scan stopped because it had looked at enough entries.
   *
   * @param reached the instant of the last entry looked at
   */
  record ScanStop(int lookedAt, Instant reached) {}

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
    ScanStop stop = page.scanStop();
    if (stop != null) {
      response =
          response
              .withHeader("X-Looked-At", Integer.toString(stop.lookedAt()))
              .withHeader("X-Reached", Objects.requireNonNull(InstantText.of(stop.reached())));
    }
    return page.nextCursor() == null
        ? response
        : response.withHeader("Link", nextLink(request, query, page));
  }

  /** How many times a page is read: the store has cursors only, so pages before it count too. */
  static int reads(PageQuery query) {
    return Math.ceilDiv(query.offset(), PageRequest.MAX_SIZE) + 1;
  }

  /**
   * Reads the page. A numbered page reads the pages before it; if that ends at the scan limit, the
   * page is empty.
   */
  private static <T> Page<T> page(PageQuery query, Function<PageRequest, Page<T>> reader) {
    String after = query.after();
    int left = query.offset();
    while (left > 0) {
      int step = Math.min(left, PageRequest.MAX_SIZE);
      Page<T> skipped = reader.apply(new PageRequest(step, after));
      after = skipped.nextCursor();
      if (after == null || skipped.scanStop() != null) {
        return new Page<>(List.of(), after, skipped.scanStop());
      }
      left -= step;
    }
    return reader.apply(new PageRequest(query.pageSize(), after));
  }

  /**
   * The next page, by number when the request used a number and there are further ones. A page that
   * ends at the scan limit has fewer entries than its number stands for.
   */
  private static String nextLink(Request request, PageQuery query, Page<?> page) {
    boolean byNumber =
        query.hasNextNumberedPage()
            && request.query().value("page").isPresent()
            && page.scanStop() == null;
    return byNumber
        ? LinkHeader.nextPage(request, query.pageNumber() + 1)
        : LinkHeader.next(request, Objects.requireNonNull(page.nextCursor()));
  }
}
