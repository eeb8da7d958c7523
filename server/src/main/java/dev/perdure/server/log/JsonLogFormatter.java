// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import java.util.Locale;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes a log line for programs: one JSON object with the line's fields at its top level. */
final class JsonLogFormatter {

  private JsonLogFormatter() {}

  static String format(LogLine line) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("time", line.time())
            .put("level", line.level().toLowerCase(Locale.ROOT))
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
