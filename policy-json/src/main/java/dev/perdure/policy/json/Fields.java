// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.NearestName;
import dev.perdure.policy.Problem;
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
public final class Fields {

  private static final int MOST_STRANGERS = 20;

  private final Value object;
  private final boolean eitherCase;
  private final Set<String> known = new LinkedHashSet<>();

  private Fields(Value object, boolean eitherCase) {
    this.object = object;
    this.eitherCase = eitherCase;
  }

  static Fields of(Value object) {
    return new Fields(object, false);
  }

  /** The same object, whose fields may be written {@code like_this} or {@code likeThis}. */
  Fields inEitherCase() {
    return new Fields(object, true);
  }

  public boolean has(String name) {
    return object.json().has(spelled(name));
  }

  /** The path of a field as it is written here, or as it would be. */
  String path(String name) {
    return pathOf(spelled(name));
  }

  /** The field, when it is there. */
  public @Nullable Value optional(String name) {
    String spelled = spelled(name);
    known.add(spelled);
    boolean twice = !spelled.equals(name) && object.json().has(name);
    if (twice && known.add(name)) {
      object.problems().add(pathOf(spelled), "is the same field as " + name + ": keep one");
    }
    return has(name)
        ? new Value(pathOf(spelled), object.json().get(spelled), object.problems())
        : null;
  }

  /** The field, when it is there and not null. */
  public @Nullable Value given(String name) {
    Value value = optional(name);
    return value == null || value.isNull() ? null : value;
  }

  /** The field, whose absence is a problem. */
  public @Nullable Value required(String name) {
    Value value = optional(name);
    if (value == null) {
      object.problems().add(path(name), "is required");
    }
    return value;
  }

  /** A required duration with its unit; null when it is missing or unreadable. */
  @Nullable Duration delay(String name) {
    Value value = required(name);
    return value == null ? null : value.delay();
  }

  /** Whatever was not asked for is a problem. */
  public void refuseOthers() {
    refuse(name -> "unknown field" + NearestName.hint(name, known) + " (" + names() + ")");
  }

  /** Whatever was not asked for is a problem; it may belong to another form. */
  void refuseOthers(Form form) {
    refuse(name -> form.stranger(name) + hint(name));
  }

  /** A name of this form that is near, or else one of another form. */
  private String hint(String name) {
    String near = NearestName.hint(name, known);
    return near.isEmpty() ? NearestName.hint(name, Form.strangersTo(name)) : near;
  }

  /** The same, in other words. */
  void refuse(Function<String, String> message) {
    List<String> strangers =
        object
            .json()
            .propertyStream()
            .map(field -> field.getKey())
            .filter(name -> !known.contains(name))
            .limit(MOST_STRANGERS + 1L)
            .toList();
    strangers.stream()
        .limit(MOST_STRANGERS)
        .forEach(name -> object.problems().add(pathOf(name), message.apply(name)));
    if (strangers.size() > MOST_STRANGERS) {
      object.wrong("has more unknown fields than these " + MOST_STRANGERS);
    }
  }

  private String names() {
    return "it can have " + String.join(", ", known);
  }

  /**
   * The camel spelling when it stands here, or when nothing stands here and the object is camel.
   */
  private String spelled(String name) {
    if (!eitherCase) {
      return name;
    }
    String camel = Spelling.camel(name);
    boolean here = object.json().has(camel);
    return here || (!object.json().has(name) && isCamel()) ? camel : name;
  }

  private boolean isCamel() {
    return object.json().propertyNames().stream().limit(MOST_STRANGERS).anyMatch(Spelling::isCamel);
  }

  private String pathOf(String name) {
    return path(object.path(), name);
  }

  /** The path of a field of the object with the given path. */
  static String path(String parent, String name) {
    String shown = Problem.quotable(name.isBlank() ? "\"" + name + "\"" : name);
    return parent.isEmpty() ? shown : parent + "." + shown;
  }
}
