// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Payloads, metadata and results as JSON text. Safe to share. */
final class PayloadCodec {

  private final JsonMapper mapper;

  PayloadCodec(JsonMapper mapper) {
    this.mapper = mapper;
  }

  /** Throws IllegalArgumentException that names the field when the value cannot become JSON. */
  String write(String field, @Nullable Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JacksonException problem) {
      throw new IllegalArgumentException(
          field + ": cannot be written as JSON: " + problem.getOriginalMessage(), problem);
    }
  }

  /** Throws JacksonException when the text is not of this type. */
  <P> P read(String text, Class<P> type) {
    return mapper.readValue(text, type);
  }
}
