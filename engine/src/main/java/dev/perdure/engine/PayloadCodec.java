// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Converts payloads, metadata and results to and from JSON. Thread-safe. */
final class PayloadCodec {

  private final JsonMapper mapper;

  PayloadCodec(JsonMapper mapper) {
    this.mapper = mapper;
  }

  /**
   * Writes JSON; throws IllegalArgumentException that names the field when the value cannot be
   * written.
   */
  String write(String field, @Nullable Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JacksonException problem) {
      throw new IllegalArgumentException(
          field + ": cannot be written as JSON: " + problem.getOriginalMessage(), problem);
    }
  }

  /** Reads JSON; throws JacksonException when the text does not fit the type. */
  <P> P read(String text, Class<P> type) {
    return mapper.readValue(text, type);
  }
}
