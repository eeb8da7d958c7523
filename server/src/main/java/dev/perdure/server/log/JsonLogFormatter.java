// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import java.util.Locale;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes a message for programs: one object, whose further fields are its keys. */
final class JsonLogFormatter {

  private JsonLogFormatter() {}

  static String of(LogLine line) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("time", LogTime.of(line.time()))
            .put("level", line.level().name().toLowerCase(Locale.ROOT))
            .put("logger", line.logger())
            .put("message", line.message());
    if (line.stack() != null) {
      json.put("stack", line.stack());
    }
    line.fields().forEach((key, value) -> put(json, key, value));
    return json + "\n";
  }

  private static void put(ObjectNode json, String key, Object value) {
    String free = key;
    while (json.has(free)) {
      free += "_";
    }
    if (value instanceof Number number) {
      json.put(free, number.longValue());
    } else {
      json.put(free, value.toString());
    }
  }
}
