// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.policy.FieldError;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Finds texts with half of a surrogate pair. JSON can express them, UTF-8 cannot: a database would
 * return a different text.
 */
final class UnpairedSurrogates {

  private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();

  private UnpairedSurrogates() {}

  /** The path of the first such text or name, empty for the root; null if there is none. */
  static @Nullable String find(JsonNode json) {
    return new UnpairedSurrogates().search(json);
  }

  private @Nullable String search(JsonNode json) {
    if (json.isString()) {
      return encoder.canEncode(json.stringValue()) ? null : "";
    }
    return json.isObject() ? searchFields(json) : searchItems(json);
  }

  private @Nullable String searchFields(JsonNode object) {
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      String found = encoder.canEncode(field.getKey()) ? search(field.getValue()) : "";
      if (found != null) {
        return under(FieldError.sanitize(field.getKey()), found);
      }
    }
    return null;
  }

  private @Nullable String searchItems(JsonNode array) {
    for (int i = 0; i < array.size(); i++) {
      String found = search(array.get(i));
      if (found != null) {
        return under("[" + i + "]", found);
      }
    }
    return null;
  }

  private static String under(String parent, String path) {
    return new FieldError(path, "").under(parent).path();
  }
}
