// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.policy.FieldError;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parameters of a query string, each of them once. */
public final class QueryParameters {

  private static final int MAX_PARAMETERS = 100;

  private final Map<String, String> values;

  private QueryParameters(Map<String, String> values) {
    this.values = values;
  }

  /** Parses a query string; null means that there is none. */
  public static QueryParameters parse(@Nullable String text) {
    Map<String, String> values = new LinkedHashMap<>();
    String[] pairs = text == null || text.isEmpty() ? new String[0] : text.split("&", -1);
    if (pairs.length > MAX_PARAMETERS) {
      throw HttpProblemException.badRequest(
          "the query has more than the %d parameters allowed".formatted(MAX_PARAMETERS));
    }
    for (String pair : pairs) {
      if (!pair.isEmpty()) {
        add(values, pair.split("=", 2));
      }
    }
    return new QueryParameters(values);
  }

  private static void add(Map<String, String> values, String[] pair) {
    String name = decoded(pair[0]);
    if (values.put(name, pair.length == 1 ? "" : decoded(pair[1])) != null) {
      throw HttpProblemException.invalid(
          List.of(
              new FieldError(
                  FieldError.sanitize(name), "appears twice in the query: send it once")));
    }
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw HttpProblemException.badRequest(
          "the query contains '%s', which is not percent-encoded: write %%25 for %%"
              .formatted(FieldError.sanitize(text)));
    }
  }

  /** Parameters that do not come from a URL. */
  public static QueryParameters of(Map<String, String> values) {
    return new QueryParameters(new LinkedHashMap<>(values));
  }

  public Set<String> names() {
    return Set.copyOf(values.keySet());
  }

  /** True if the parameter is present, even with an empty text. */
  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** The value; empty if it is missing or an empty text. */
  public Optional<String> value(String name) {
    return Optional.ofNullable(values.get(name)).filter(value -> !value.isEmpty());
  }
}
