// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Jitter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a canonical jitter, a word or an object; answers null when anything in it is wrong. */
final class JitterForm {

  private static final List<String> TYPES =
      List.of("none", "full", "equal", "decorrelated", "spread", "add");

  private JitterForm() {}

  static @Nullable Jitter read(Value value) {
    return value.json().isObject() ? ofObject(value) : ofWord(value);
  }

  private static @Nullable Jitter ofWord(Value value) {
    String type = value.word("jitter", TYPES);
    if (type == null) {
      return null;
    }
    Jitter jitter = withoutFactor(type);
    if (jitter == null) {
      value.wrong(
          "%s needs a factor: write {\"type\": \"%s\", \"factor\": 0.25}".formatted(type, type));
    }
    return jitter;
  }

  private static @Nullable Jitter ofObject(Value value) {
    Fields fields = Fields.of(value);
    Value named = fields.required("type");
    String type = named == null ? null : named.word("jitter", TYPES);
    if (type == null) {
      return null;
    }
    Jitter plain = withoutFactor(type);
    Jitter jitter = plain == null ? withFactor(type, value, fields.required("factor")) : plain;
    fields.refuseOthers();
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

  private static @Nullable Jitter withFactor(String type, Value jitter, @Nullable Value named) {
    Double factor = named == null ? null : named.number(0);
    if (factor == null) {
      return null;
    }
    return jitter
        .problems()
        .collect(
            jitter.path(),
            () -> type.equals("spread") ? Jitter.spread(factor) : Jitter.add(factor));
  }
}
