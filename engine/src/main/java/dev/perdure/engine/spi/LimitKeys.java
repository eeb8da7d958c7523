// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.internal.ContentDigest;
import dev.perdure.engine.task.LimitType;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

/**
 * The keys of limits: {@code concurrency:sync[tenant="acme"]}. Tasks whose keys are equal share the
 * limit. Values are equal when they are the same JSON: numbers by value, objects regardless of the
 * order of their fields. A missing field is written as {@code -} and differs from null. The limits
 * of a kind have keys of their own: {@code concurrency:kind:sync[tenant="acme"]}.
 */
public final class LimitKeys {

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
  private static final Pattern QUOTED = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
  private static final String OF_KIND = "kind";
  private static final int MAX_LENGTH = 200;
  private static final int SHOWN_LENGTH = 150;
  private static final int DIGITS = 32;
  private static final int MAX_ZEROS = 20;

  private LimitKeys() {}

  /** The key for a kind and these fields of a task's metadata, a JSON object or null. */
  public static String of(
      LimitType type, String kind, List<String> fields, @Nullable String metadata) {
    return of(type.text(), kind, fields, metadata);
  }

  /** The key of a limit that was set for the kind, not by the rules of a task. */
  static String ofKind(
      LimitType type, String kind, List<String> fields, @Nullable String metadata) {
    return of(type.text() + ":" + OF_KIND, kind, fields, metadata);
  }

  /** Returns whether it is the key of a limit that was set for a kind. */
  public static boolean isOfKind(String key) {
    return key.startsWith(OF_KIND + ":", key.indexOf(':') + 1);
  }

  /** Throws if the kind is too long for the key of a limit, in which it is never cut. */
  public static void requireKind(String kind) {
    if (prefixOfKind(LimitType.CONCURRENCY, kind).length() >= SHOWN_LENGTH) {
      throw new IllegalArgumentException(
          "kind: is too long for a limit, because of its special characters");
    }
  }

  /** The key of a matcher, with a word of its own for what it is about. */
  public static String of(
      String word, String kind, List<String> fields, @Nullable String metadata) {
    JsonNode json = metadata == null ? null : MAPPER.readTree(metadata);
    String values =
        fields.stream()
            .sorted()
            .map(field -> plain(field) + "=" + value(json == null ? null : json.get(field)))
            .collect(Collectors.joining(","));
    return shortened(word + ":" + plain(kind) + "[" + values + "]");
  }

  /** The type of the limit with this key. */
  public static LimitType type(String key) {
    return LimitType.of(key.substring(0, key.indexOf(':'))).orElseThrow();
  }

  /** The kind of the tasks that the limit with this key counts; cut if the key is cut within it. */
  public static String kind(String key) {
    int start = key.indexOf(':') + 1;
    String rest = key.substring(isOfKind(key) ? start + OF_KIND.length() + 1 : start);
    if (!rest.startsWith("\"")) {
      return rest.substring(0, rest.indexOf('['));
    }
    Matcher quoted = QUOTED.matcher(rest);
    return quoted.lookingAt() ? MAPPER.readTree(quoted.group()).stringValue() : rest;
  }

  /** What the keys of all limits of this type on this kind begin with. */
  public static String prefix(LimitType type, String kind) {
    String prefix = type.text() + ":" + plain(kind) + "[";
    return prefix.substring(0, Math.min(prefix.length(), SHOWN_LENGTH - 1));
  }

  /** What the keys of all limits of this type begin with that were set for this kind. */
  public static String prefixOfKind(LimitType type, String kind) {
    return type.text() + ":" + OF_KIND + ":" + plain(kind) + "[";
  }

  private static String shortened(String key) {
    if (key.length() <= MAX_LENGTH) {
      return key;
    }
    // Never half a character: a database would store another one in its place.
    boolean splits = Character.isHighSurrogate(key.charAt(SHOWN_LENGTH - 1));
    return key.substring(0, splits ? SHOWN_LENGTH - 1 : SHOWN_LENGTH)
        + "#"
        + new ContentDigest().add(key).hex().substring(0, DIGITS);
  }

  /** Quoted as in JSON where it could be mistaken for something else. */
  private static String plain(String text) {
    String quoted = StringNode.valueOf(text).toString();
    boolean simple =
        quoted.length() == text.length() + 2
            && text.chars().noneMatch(c -> "[]=,:".indexOf(c) >= 0);
    return simple ? text : quoted;
  }

  private static String value(@Nullable JsonNode value) {
    if (value == null) {
      return "-";
    }
    if (value.isObject()) {
      Map<String, JsonNode> sorted = new TreeMap<>();
      value.propertyStream().forEach(field -> sorted.put(field.getKey(), field.getValue()));
      return sorted.entrySet().stream()
          .map(field -> StringNode.valueOf(field.getKey()) + ":" + value(field.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (value.isArray()) {
      Stream<String> items = value.valueStream().map(LimitKeys::value);
      return items.collect(Collectors.joining(",", "[", "]"));
    }
    return value.isNumber() ? number(value.decimalValue()) : value.toString();
  }

  private static String number(BigDecimal number) {
    BigDecimal normalized = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    // 100 would be 1E+2. A number with very many zeros stays short.
    boolean plain = normalized.scale() < 0 && normalized.scale() >= -MAX_ZEROS;
    return plain ? normalized.toPlainString() : normalized.toString();
  }
}
