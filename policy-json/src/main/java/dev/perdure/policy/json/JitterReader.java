// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Jitter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a canonical jitter, a string or an object; returns null if anything in it is wrong. */
final class JitterReader {

  private static final List<String> TYPES =
      List.of("none", "full", "equal", "decorrelated", "spread", "add");

  private JitterReader() {}

  static @Nullable Jitter read(JsonValueReader value) {
    return value.json().isObject() ? ofObject(value) : ofString(value);
  }

  private static @Nullable Jitter ofString(JsonValueReader value) {
    String type = value.oneOf("jitter", TYPES);
    if (type == null) {
      return null;
    }
    Jitter jitter = withoutFactor(type);
    if (jitter == null) {
      value.addError(
          "%s needs a factor: write {\"type\": \"%s\", \"factor\": 0.25}".formatted(type, type));
    }
    return jitter;
  }

  private static @Nullable Jitter ofObject(JsonValueReader value) {
    JsonObjectReader object = JsonObjectReader.of(value);
    JsonValueReader named = object.required("type");
    String type = named == null ? null : named.oneOf("jitter", TYPES);
    if (type == null) {
      return null;
    }
    Jitter plain = withoutFactor(type);
    Jitter jitter = plain == null ? withFactor(type, value, object.required("factor")) : plain;
    object.rejectUnknown();
    return jitter;
  }

  private static @Nullable Jitter withoutFactor(String type) {
    return switch (type) {
      case "none" -> Jitter.none();
      case "full" -> Jitter.full();
      case "equal" -> Jitter.equal();
      case "decorrelated" -> Jitter.decorrelated();
      default -> null;
    };
  }

  private static @Nullable Jitter withFactor(
      String type, JsonValueReader jitter, @Nullable JsonValueReader named) {
    Double factor = named == null ? null : named.number(0);
    if (factor == null) {
      return null;
    }
    return jitter
        .errors()
        .collect(
            jitter.path(),
            () -> type.equals("spread") ? Jitter.spread(factor) : Jitter.add(factor));
  }
}
