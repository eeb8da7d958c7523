// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Something as a server shows it; what it leaves out is empty. */
record JsonView(JsonNode json) {

  static List<JsonView> all(JsonNode array) {
    List<JsonView> all = new ArrayList<>();
    array.forEach(one -> all.add(new JsonView(one)));
    return all;
  }

  boolean has(String field) {
    return !json.path(field).isNull() && !json.path(field).isMissingNode();
  }

  String text(String field) {
    return has(field) ? json.path(field).asString("") : "";
  }

  boolean isTrue(String field) {
    return json.path(field).asBoolean(false);
  }

  long number(String field) {
    return json.path(field).asLong(0);
  }

  @Nullable Instant instant(String field) {
    try {
      return has(field) ? Instant.parse(text(field)) : null;
    } catch (DateTimeException e) {
      return null;
    }
  }

  StyledText piece(String field) {
    return StyledText.of(text(field));
  }
}
