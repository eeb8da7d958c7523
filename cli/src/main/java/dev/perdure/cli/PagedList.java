// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.client.ApiException;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The first entries of a list of the API, read page by page.
 *
 * @param entries empty with {@code --json}, which prints each entry as soon as it is read
 * @param total how many entries there are, if the server counts them, up to 10,000
 * @param more whether there are more entries than were asked for
 */
record PagedList<T>(List<T> entries, long total, boolean more, Instant now) {

  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_LIMIT = 1_000_000;
  private static final int PAGE_SIZE = 1_000;

  /** The value of {@code --limit}. */
  static int limit(@Nullable String text) {
    OptionParser parser = new OptionParser();
    int limit = parser.count("--limit", text, DEFAULT_LIMIT, 1, MAX_LIMIT);
    parser.throwIfInvalid();
    return limit;
  }

  static <T> PagedList<T> read(
      CliContext context,
      OutputOptions output,
      PerdureClient client,
      String path,
      Map<String, @Nullable String> filter,
      int max,
      Function<JsonNode, T> reader) {
    List<T> entries = new ArrayList<>();
    Map<String, @Nullable String> query = new LinkedHashMap<>(filter);
    ApiResponse response = firstPage(client, path, query, Math.min(PAGE_SIZE, max));
    int left = max - take(context, output, response, max, reader, entries);
    String after = response.nextCursor().orElse(null);
    while (after != null && left > 0) {
      query.put("after", after);
      response = client.get(path, query);
      left -= take(context, output, response, left, reader, entries);
      after = response.nextCursor().orElse(null);
    }
    return new PagedList<>(
        entries,
        response.total().orElse(0),
        after != null,
        response.serverTime().orElse(context.now()));
  }

  /** If the server does not allow pages of this size, asks for pages of its default size. */
  private static ApiResponse firstPage(
      PerdureClient client, String path, Map<String, @Nullable String> query, int size) {
    query.put("page_size", Integer.toString(size));
    try {
      return client.get(path, query);
    } catch (ApiException e) {
      if (e.errors().stream().noneMatch(error -> error.path().equals("page_size"))) {
        throw e;
      }
      query.remove("page_size");
      return client.get(path, query);
    }
  }

  /** Takes at most this many entries from a page; with --json it prints them at once. */
  private static <T> int take(
      CliContext context,
      OutputOptions output,
      ApiResponse response,
      int max,
      Function<JsonNode, T> reader,
      List<T> entries) {
    List<JsonNode> taken = response.page(entry -> entry).items().stream().limit(max).toList();
    if (output.json) {
      taken.forEach(context.out()::println);
      context.out().flush();
    } else {
      entries.addAll(response.page(reader).items().subList(0, taken.size()));
    }
    return taken.size();
  }
}
