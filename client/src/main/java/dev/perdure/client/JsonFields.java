// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the fields of a JSON object. A field that is absent or null reads as null. */
record JsonFields(JsonNode json) {

  /** The value of a field that every response has. */
  <T> T required(String name, Function<String, @Nullable T> reader) {
    T value = reader.apply(name);
    if (value == null) {
      throw new NoSuchElementException("the field '%s' is missing".formatted(name));
    }
    return value;
  }

  static String requiredText(JsonNode json, String name) {
    JsonFields fields = new JsonFields(json);
    return fields.required(name, fields::text);
  }

  <T> @Nullable T read(String name, Function<JsonNode, T> reader) {
    JsonNode value = node(name);
    return value == null ? null : reader.apply(value);
  }

  @Nullable JsonNode node(String name) {
    JsonNode value = json.path(name);
    return value.isNull() || value.isMissingNode() ? null : value;
  }

  @Nullable String text(String name) {
    return read(name, JsonNode::asString);
  }

  @Nullable Long number(String name) {
    return read(name, JsonNode::asLong);
  }

  @Nullable Double decimal(String name) {
    return read(name, JsonNode::asDouble);
  }

  /** An optional count; 0 when it is absent. */
  long count(String name) {
    return json.path(name).asLong(0);
  }

  boolean flag(String name) {
    return json.path(name).asBoolean(false);
  }

  @Nullable Instant instant(String name) {
    return read(name, value -> Instant.parse(value.asString()));
  }

  @Nullable UUID id(String name) {
    return read(name, value -> UUID.fromString(value.asString()));
  }

  @Nullable Duration seconds(String name) {
    return read(name, value -> Duration.ofSeconds(value.asLong()));
  }

  @Nullable Duration millis(String name) {
    return read(name, value -> Duration.ofMillis(value.asLong()));
  }

  List<String> texts(String name) {
    return json.path(name).valueStream().map(JsonNode::asString).toList();
  }

  <T> List<T> list(String name, Function<JsonNode, T> reader) {
    return json.path(name).valueStream().map(reader).toList();
  }

  Map<String, Long> counts(String name) {
    Map<String, Long> counts = new TreeMap<>();
    json.path(name)
        .propertyStream()
        .forEach(count -> counts.put(count.getKey(), count.getValue().asLong(0)));
    return counts;
  }
}
