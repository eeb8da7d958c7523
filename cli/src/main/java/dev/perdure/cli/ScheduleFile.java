// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.policy.FieldError;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads what a schedule submits: a task, a batch, or a whole schedule. The server checks it. */
final class ScheduleFile {

  private static final int MAX_CHARACTERS = 64 * 1024 * 1024;

  /** Keeps all digits of numbers. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private ScheduleFile() {}

  /** The fields of a schedule that the file has. */
  static ObjectNode read(CliContext context, String file) {
    JsonNode json = parse(BoundedTextReader.readArgument(context, file, MAX_CHARACTERS));
    ObjectNode schedule = JsonNodeFactory.instance.objectNode();
    if (json.isArray()) {
      schedule.putObject("batch").set("tasks", json);
    } else if (!json.isObject()) {
      throw new UsageException("FILE", "must hold a task, a batch or a schedule");
    } else if (Stream.of("trigger", "task", "batch").anyMatch(json::has)) {
      schedule.setAll((ObjectNode) json);
    } else {
      schedule.set(json.has("tasks") ? "batch" : "task", json);
    }
    return schedule;
  }

  private static JsonNode parse(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JacksonException e) {
      throw new UsageException(
          "FILE",
          "is not JSON at line %d, column %d: %s"
              .formatted(
                  e.getLocation().getLineNr(),
                  e.getLocation().getColumnNr(),
                  FieldError.sanitize(e.getOriginalMessage())));
    }
  }
}
