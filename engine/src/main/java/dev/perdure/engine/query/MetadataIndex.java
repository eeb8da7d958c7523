// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.internal.ContentDigest;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The fields of metadata as stores look for them: a digest of each name and its value. So values
 * are compared in one way by every store, and what somebody calls a field never becomes a part of a
 * statement.
 *
 * <p>Two values are the same when they are the same JSON: numbers by what they are worth, objects
 * whatever the order of their fields. A field that is null is not one that is missing.
 */
public final class MetadataIndex {

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
  private static final int DIGITS = 16;

  private MetadataIndex() {}

  /** One of each field, in order. */
  static Set<String> of(Map<String, ? extends @Nullable Object> metadata) {
    JsonNode json = MAPPER.valueToTree(metadata);
    return of(json);
  }

  private static Set<String> of(JsonNode metadata) {
    Set<String> facets = new TreeSet<>();
    metadata
        .propertyStream()
        .forEach(
            field -> {
              ContentDigest contentDigest = new ContentDigest().add(field.getKey());
              add(contentDigest, field.getValue());
              facets.add("<" + contentDigest.hex().substring(0, DIGITS) + ">");
            });
    return facets;
  }

  private static void add(ContentDigest contentDigest, JsonNode value) {
    contentDigest.add(value.getNodeType());
    if (value.isObject()) {
      Map<String, JsonNode> sorted = new TreeMap<>();
      value.propertyStream().forEach(field -> sorted.put(field.getKey(), field.getValue()));
      contentDigest.add(sorted.size());
      sorted.forEach((name, inner) -> add(contentDigest.add(name), inner));
    } else if (value.isArray()) {
      contentDigest.add(value.size());
      value.forEach(item -> add(contentDigest, item));
    } else {
      contentDigest.add(value.isNumber() ? worth(value.decimalValue()) : value.toString());
    }
  }

  private static BigDecimal worth(BigDecimal number) {
    return number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
  }

  /** All of a JSON object, as a store keeps them; null when there are none. */
  public static @Nullable String indexText(@Nullable String metadata) {
    if (metadata == null) {
      return null;
    }
    try {
      Set<String> facets = of(MAPPER.readTree(metadata));
      return facets.isEmpty() ? null : String.join("", facets);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("metadata: is not JSON", e);
    }
  }

  /** For LIKE: matches what is {@link #indexText} with all of these; null when there are none. */
  public static @Nullable String likePattern(Set<String> facets) {
    return facets.isEmpty()
        ? null
        : new TreeSet<>(facets).stream().collect(Collectors.joining("%", "%", "%"));
  }

  /** True when the metadata has all of these. */
  public static boolean matches(Set<String> facets, @Nullable String metadata) {
    String kept = indexText(metadata);
    return facets.stream().allMatch(facet -> kept != null && kept.contains(facet));
  }
}
