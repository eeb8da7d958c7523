// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What a trigger means.
 *
 * @param words when it fires, in words
 * @param next the next firings
 * @param warnings days on which the clock changes and a firing moves
 */
public record SchedulePreview(String words, List<Instant> next, List<ClockChange> warnings) {

  /** A day on which a firing moves because the clock changes. */
  public record ClockChange(LocalDate at, String text) {

    static ClockChange of(JsonNode json) {
      JsonFields warning = new JsonFields(json);
      return new ClockChange(
          LocalDate.parse(warning.required("at", warning::text)),
          warning.required("text", warning::text));
    }
  }

  /** Reads the server's JSON. */
  public static SchedulePreview of(JsonNode json) {
    JsonFields preview = new JsonFields(json);
    return new SchedulePreview(
        preview.required("words", preview::text),
        preview.list("next", instant -> Instant.parse(instant.asString())),
        preview.list("warnings", ClockChange::of));
  }
}
