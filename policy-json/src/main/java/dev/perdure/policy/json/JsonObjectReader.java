// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.NameSuggestion;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of a JSON object. It records which fields were requested; all others are
 * unknown.
 */
public final class JsonObjectReader {

  private static final int MAX_UNKNOWN_FIELDS = 20;

  private final JsonValueReader object;
  private final boolean camelCaseAllowed;
  private final Set<String> known = new LinkedHashSet<>();
  private final Set<String> neverSuggested = new HashSet<>();

  private JsonObjectReader(JsonValueReader object, boolean camelCaseAllowed) {
    this.object = object;
    this.camelCaseAllowed = camelCaseAllowed;
  }

  static JsonObjectReader of(JsonValueReader object) {
    return new JsonObjectReader(object, false);
  }

  /** Returns a reader that accepts field names in {@code snake_case} and {@code camelCase}. */
  JsonObjectReader acceptCamelCase() {
    return new JsonObjectReader(object, true);
  }

  public boolean has(String name) {
    return object.json().has(nameAsWritten(name));
  }

  /** Returns the path of a field in the case that the object uses. */
  String path(String name) {
    return pathOf(nameAsWritten(name));
  }

  /** Returns the field, or null if it is missing. */
  public @Nullable JsonValueReader optional(String name) {
    String written = nameAsWritten(name);
    known.add(written);
    boolean twice = !written.equals(name) && object.json().has(name);
    if (twice && known.add(name)) {
      object.errors().add(pathOf(written), "is the same field as " + name + ": keep one");
    }
    return has(name)
        ? new JsonValueReader(pathOf(written), object.json().get(written), object.errors())
        : null;
  }

  /** Returns the field, or null if it is missing or JSON null. */
  public @Nullable JsonValueReader nonNull(String name) {
    JsonValueReader value = optional(name);
    return value == null || value.isNull() ? null : value;
  }

  /** Returns the field; adds an error if it is missing. */
  public @Nullable JsonValueReader required(String name) {
    JsonValueReader value = optional(name);
    if (value == null) {
      object.errors().add(path(name), "is required");
    }
    return value;
  }

  /** Keeps the hints for unknown fields from suggesting a field that is refused here. */
  public void neverSuggest(String name) {
    neverSuggested.add(nameAsWritten(name));
  }

  /** Reads a required duration with a unit; returns null if it is missing or invalid. */
  @Nullable Duration duration(String name) {
    JsonValueReader value = required(name);
    return value == null ? null : value.duration();
  }

  /** Adds an error for every field that was not requested. */
  public void rejectUnknown() {
    rejectUnknown(this::unknownFieldMessage);
  }

  /** Returns the usual error message for an unknown field: a hint and the known fields. */
  public String unknownFieldMessage(String name) {
    List<String> fields = known.stream().filter(field -> !neverSuggested.contains(field)).toList();
    return "unknown field%s (known fields: %s)"
        .formatted(NameSuggestion.hint(name, suggestions()), String.join(", ", fields));
  }

  /** Adds an error for every field that was not requested, and says which dialect it belongs to. */
  void rejectUnknown(PolicyDialect dialect) {
    rejectUnknown(name -> foreignOrUnknown(dialect, name));
  }

  /** Suggests a similar field of this dialect, or else one that makes it another dialect. */
  private String foreignOrUnknown(PolicyDialect dialect, String name) {
    String near = NameSuggestion.hint(name, suggestions());
    if (PolicyDialect.knows(name)) {
      return dialect.foreignFieldMessage(name, object.json()) + near;
    }
    List<String> others = PolicyDialect.replacements(name, object.json());
    return "unknown field" + (near.isEmpty() ? NameSuggestion.hint(name, others) : near);
  }

  /** A field that is already there would only be given twice. */
  private List<String> suggestions() {
    return known.stream()
        .filter(name -> !neverSuggested.contains(name) && !object.json().has(name))
        .toList();
  }

  /** Adds an error with this message for every field that was not requested. */
  public void rejectUnknown(Function<String, String> message) {
    List<String> unknown =
        object
            .json()
            .propertyStream()
            .map(field -> field.getKey())
            .filter(name -> !known.contains(name))
            .limit(MAX_UNKNOWN_FIELDS + 1L)
            .toList();
    unknown.stream()
        .limit(MAX_UNKNOWN_FIELDS)
        .forEach(name -> object.errors().add(pathOf(name), message.apply(name)));
    if (unknown.size() > MAX_UNKNOWN_FIELDS) {
      object.addError(
          "has more than %d unknown fields; only the first are listed"
              .formatted(MAX_UNKNOWN_FIELDS));
    }
  }

  /**
   * Returns the camelCase name if the object has it, or if the object has neither name but uses
   * camelCase elsewhere.
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

  /** Returns the path of a field of the object with the given path. */
  static String path(String parent, String name) {
    String shown = FieldError.sanitize(name.isBlank() ? "\"" + name + "\"" : name);
    return parent.isEmpty() ? shown : parent + "." + shown;
  }
}
