// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.server.http.Request;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** Leads from page to page. */
final class Links {

  private Links() {}

  /** The same question, from where this page ends. */
  static String next(Request request, String after) {
    String query =
        request.query().names().stream()
            .filter(name -> !name.equals("after"))
            .sorted()
            .map(name -> name + "=" + encoded(request.query().value(name).orElse("")) + "&")
            .collect(Collectors.joining());
    return "<%s?%safter=%s>; rel=\"next\"".formatted(request.path(), query, encoded(after));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
