// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.NearestName;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object. They remember what they were asked for: whatever nobody asked for is
 * unknown.
 */
public final class JsonObjectReader {

  private static final int MAX_UNKNOWN_FIELDS = 20;

  private final JsonValueReader object;
  private final boolean camelCaseAllowed;
  private final Set<String> known = new LinkedHashSet<>();

  private JsonObjectReader(JsonValueReader object, boolean eitherCase) {
    this.object = object;
    this.camelCaseAllowed = eitherCase;
  }

  static JsonObjectReader of(JsonValueReader object) {
    return new JsonObjectReader(object, false);
  }

  /** The same object, whose fields may be written {@code like_this} or {@code likeThis}. */
  JsonObjectReader acceptCamelCase() {
    return new JsonObjectReader(object, true);
  }

  public boolean has(String name) {
    return object.json().has(nameAsWritten(name));
  }

  /** The path of a field as it is written here, or as it would be. */
  String path(String name) {
    return pathOf(nameAsWritten(name));
  }

  /** The field, when it is there. */
  public @Nullable JsonValueReader optional(String name) {
    String spelled = nameAsWritten(name);
    known.add(spelled);
    boolean twice = !spelled.equals(name) && object.json().has(name);
    if (twice && known.add(name)) {
      object.errors().add(pathOf(spelled), "is the same field as " + name + ": keep one");
    }
    return has(name)
        ? new JsonValueReader(pathOf(spelled), object.json().get(spelled), object.errors())
        : null;
  }

  /** The field, when it is there and not null. */
  public @Nullable JsonValueReader nonNull(String name) {
    JsonValueReader jsonValueReader = optional(name);
    return jsonValueReader == null || jsonValueReader.isNull() ? null : jsonValueReader;
  }

  /** The field, whose absence is a problem. */
  public @Nullable JsonValueReader required(String name) {
    JsonValueReader jsonValueReader = optional(name);
    if (jsonValueReader == null) {
      object.errors().add(path(name), "is required");
    }
    return jsonValueReader;
  }

  /** A required duration with its unit; null when it is missing or unreadable. */
  @Nullable Duration duration(String name) {
    JsonValueReader jsonValueReader = required(name);
    return jsonValueReader == null ? null : jsonValueReader.duration();
  }

  /** Whatever was not asked for is a problem. */
  public void rejectUnknown() {
    rejectUnknownWith(
        name -> "unknown field" + NearestName.hint(name, known) + " (" + names() + ")");
  }

  /** Whatever was not asked for is a problem; it may belong to another form. */
  void rejectUnknown(PolicyDialect policyDialect) {
    rejectUnknownWith(name -> policyDialect.unknownFieldMessage(name) + hint(name));
  }

  /** A name of this form that is near, or else one of another form. */
  private String hint(String name) {
    String near = NearestName.hint(name, known);
    return near.isEmpty() ? NearestName.hint(name, PolicyDialect.suggestionsFor(name)) : near;
  }

  /** The same, in other words. */
  void rejectUnknownWith(Function<String, String> message) {
    List<String> strangers =
        object
            .json()
            .propertyStream()
            .map(field -> field.getKey())
            .filter(name -> !known.contains(name))
            .limit(MAX_UNKNOWN_FIELDS + 1L)
            .toList();
    strangers.stream()
        .limit(MAX_UNKNOWN_FIELDS)
        .forEach(name -> object.errors().add(pathOf(name), message.apply(name)));
    if (strangers.size() > MAX_UNKNOWN_FIELDS) {
      object.addError("has more unknown fields than these " + MAX_UNKNOWN_FIELDS);
    }
  }

  private String names() {
    return "it can have " + String.join(", ", known);
  }

  /**
   * The camel spelling when it stands here, or when nothing stands here and the object is camel.
   */
  private String nameAsWritten(String name) {
    if (!camelCaseAllowed) {
      return name;
    }
    String camel = FieldNameCase.camel(name);
    boolean here = object.json().has(camel);
    return here || (!object.json().has(name) && isCamel()) ? camel : name;
  }

  private boolean isCamel() {
    return object.json().propertyNames().stream()
        .limit(MAX_UNKNOWN_FIELDS)
        .anyMatch(FieldNameCase::isCamel);
  }

  private String pathOf(String name) {
    return path(object.path(), name);
  }

  /** The path of a field of the object with the given path. */
  static String path(String parent, String name) {
    String shown = FieldError.sanitize(name.isBlank() ? "\"" + name + "\"" : name);
    return parent.isEmpty() ? shown : parent + "." + shown;
  }
}
