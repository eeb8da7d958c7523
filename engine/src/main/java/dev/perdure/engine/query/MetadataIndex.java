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
 * The index over metadata: a digest of each field's name and value, for stores. Every store
 * compares values in the same way, and a field's name never becomes part of a statement.
 *
 * <p>Two values are equal when they are the same JSON: numbers by value, objects regardless of the
 * order of their fields. A null field differs from a missing one.
 */
public final class MetadataIndex {

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
  private static final int DIGITS = 16;

  private MetadataIndex() {}

  /** The digests of all fields, sorted. */
  static Set<String> of(Map<String, ? extends @Nullable Object> metadata) {
    JsonNode json = MAPPER.valueToTree(metadata);
    return of(json);
  }

  private static Set<String> of(JsonNode metadata) {
    Set<String> digests = new TreeSet<>();
    metadata
        .propertyStream()
        .forEach(
            field -> {
              ContentDigest digest = new ContentDigest().add(field.getKey());
              add(digest, field.getValue());
              digests.add("<" + digest.hex().substring(0, DIGITS) + ">");
            });
    return digests;
  }

  private static void add(ContentDigest digest, JsonNode value) {
    digest.add(value.getNodeType());
    if (value.isObject()) {
      Map<String, JsonNode> sorted = new TreeMap<>();
      value.propertyStream().forEach(field -> sorted.put(field.getKey(), field.getValue()));
      digest.add(sorted.size());
      sorted.forEach((name, inner) -> add(digest.add(name), inner));
    } else if (value.isArray()) {
      digest.add(value.size());
      value.forEach(item -> add(digest, item));
    } else {
      digest.add(value.isNumber() ? normalized(value.decimalValue()) : value.toString());
    }
  }

  private static BigDecimal normalized(BigDecimal number) {
    return number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
  }

  /** The digests of a JSON object as a store keeps them; null when it has no fields. */
  public static @Nullable String indexText(@Nullable String metadata) {
    if (metadata == null) {
      return null;
    }
    try {
      Set<String> digests = of(MAPPER.readTree(metadata));
      return digests.isEmpty() ? null : String.join("", digests);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("metadata: is not valid JSON", e);
    }
  }

  /**
   * A LIKE pattern that matches an {@link #indexText} with all of these digests; null when there
   * are none.
   */
  public static @Nullable String likePattern(Set<String> digests) {
    return digests.isEmpty()
        ? null
        : new TreeSet<>(digests).stream().collect(Collectors.joining("%", "%", "%"));
  }

  /** True when the metadata has all of these digests. */
  public static boolean matches(Set<String> digests, @Nullable String metadata) {
    String index = indexText(metadata);
    return digests.stream().allMatch(digest -> index != null && index.contains(digest));
  }
}
