// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import dev.perdure.policy.Problem;
import dev.perdure.policy.Problems;
import dev.perdure.server.webhook.send.HeaderText;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Reads the headers of an action: an object of names and values. */
final class HeadersForm {

  private static final int MOST = 32;
  private static final int MOST_CHARACTERS = 16 * 1024;

  private HeadersForm() {}

  /** Those that are right; what is wrong with the others is among the problems. */
  static Map<String, String> read(JsonNode json, String path, Problems problems) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (!json.isObject()) {
      problems.add(path, "must be an object, not " + ActionFields.described(json));
      return headers;
    }
    if (json.size() > MOST) {
      problems.add(path, "has %d headers, at most %d are allowed".formatted(json.size(), MOST));
      return headers;
    }
    Set<String> seen = new HashSet<>();
    for (Map.Entry<String, JsonNode> field : json.properties()) {
      Optional<String> wrong = problemOf(field.getKey(), field.getValue(), seen);
      if (wrong.isPresent()) {
        problems.add(path + "." + Problem.quotable(field.getKey()), wrong.get());
      } else {
        headers.put(field.getKey(), field.getValue().stringValue());
      }
    }
    requireSize(headers, path, problems);
    return headers;
  }

  private static Optional<String> problemOf(String name, JsonNode value, Set<String> seen) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (CallComposer.OURS.contains(lower)) {
      return Optional.of("is set on every webhook and cannot be chosen");
    }
    if (!seen.add(lower)) {
      return Optional.of("stands twice: keep one");
    }
    if (!value.isString()) {
      return Optional.of("must be a string, not " + ActionFields.described(value));
    }
    return HeaderText.problemOfName(name).or(() -> HeaderText.problemOfValue(value.stringValue()));
  }

  private static void requireSize(Map<String, String> headers, String path, Problems problems) {
    int characters =
        headers.entrySet().stream()
            .mapToInt(header -> header.getKey().length() + header.getValue().length())
            .sum();
    if (characters > MOST_CHARACTERS) {
      problems.add(
          path,
          "have %d characters in all, at most %d are allowed"
              .formatted(characters, MOST_CHARACTERS));
    }
  }
}
