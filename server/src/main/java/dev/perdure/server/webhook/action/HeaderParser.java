// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.server.webhook.send.HeaderValidator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Reads the headers of an action from a JSON object. */
final class HeaderParser {

  private static final int MAX_HEADERS = 32;
  private static final int MAX_CHARACTERS = 16 * 1024;

  private HeaderParser() {}

  /** The valid headers; each invalid one adds an error. */
  static Map<String, String> parse(JsonNode json, String path, FieldErrors errors) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (!json.isObject()) {
      errors.add(path, "must be an object, not " + ActionFields.typeName(json));
      return headers;
    }
    if (json.size() > MAX_HEADERS) {
      errors.add(path, "must have at most %d headers, not %d".formatted(MAX_HEADERS, json.size()));
      return headers;
    }
    Set<String> seen = new HashSet<>();
    for (Map.Entry<String, JsonNode> field : json.properties()) {
      Optional<String> problem = problemOf(field.getKey(), field.getValue(), seen);
      if (problem.isPresent()) {
        errors.add(path + "." + FieldError.sanitize(field.getKey()), problem.get());
      } else {
        headers.put(field.getKey(), field.getValue().stringValue());
      }
    }
    checkTotalSize(headers, path, errors);
    return headers;
  }

  private static Optional<String> problemOf(String name, JsonNode value, Set<String> seen) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (RequestComposer.RESERVED_HEADERS.contains(lower)) {
      return Optional.of("is set by Perdure on every webhook: leave it out");
    }
    if (!seen.add(lower)) {
      return Optional.of("is given twice, as names ignore case: keep one");
    }
    if (!value.isString()) {
      return Optional.of("must be a string, not " + ActionFields.typeName(value));
    }
    return HeaderValidator.problemOfName(name)
        .or(() -> HeaderValidator.problemOfValue(value.stringValue()));
  }

  private static void checkTotalSize(Map<String, String> headers, String path, FieldErrors errors) {
    int characters =
        headers.entrySet().stream()
            .mapToInt(header -> header.getKey().length() + header.getValue().length())
            .sum();
    if (characters > MAX_CHARACTERS) {
      errors.add(
          path,
          "must have at most %d characters in total, not %d".formatted(MAX_CHARACTERS, characters));
    }
  }
}
