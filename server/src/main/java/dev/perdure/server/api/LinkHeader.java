// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.server.http.Request;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;

/** Builds the {@code Link} header that leads to the next page of a list. */
final class LinkHeader {

  private static final Set<String> PAGE_PARAMETERS = Set.of("after", "before", "page");

  private LinkHeader() {}

  /** The same query, starting where this page ends. */
  static String next(Request request, String after) {
    return next(request, "after", after);
  }

  /** The same query, for the page with this number. */
  static String nextPage(Request request, int number) {
    return next(request, "page", Integer.toString(number));
  }

  /** The same query, for what is older than the attempt with this epoch. */
  static String before(Request request, long epoch) {
    return next(request, "before", Long.toString(epoch));
  }

  private static String next(Request request, String parameter, String value) {
    String query =
        request.query().names().stream()
            .filter(name -> !PAGE_PARAMETERS.contains(name))
            .sorted()
            .map(name -> name + "=" + encoded(request.query().value(name).orElse("")) + "&")
            .collect(Collectors.joining());
    return "<%s?%s%s=%s>; rel=\"next\"".formatted(request.path(), query, parameter, encoded(value));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
