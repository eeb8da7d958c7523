// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import dev.perdure.policy.json.JsonValueReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The names of the metadata fields that tell tasks apart, in limits and dedupe keys. */
public final class MetadataFields {

  private static final int MAX_FIELDS = 10;
  private static final int MAX_CHARACTERS = 255;

  private MetadataFields() {}

  /** Returns the names; throws if they are too many, or one is wrong. */
  static List<String> require(String... names) {
    if (names.length > MAX_FIELDS || new HashSet<>(List.of(names)).size() < names.length) {
      throw new IllegalArgumentException(
          "fields: must be at most " + MAX_FIELDS + " different names");
    }
    for (String name : names) {
      if (!isName(name)) {
        throw new IllegalArgumentException(
            "fields: must have 1 to " + MAX_CHARACTERS + " characters, and not NUL");
      }
    }
    return List.of(names);
  }

  /**
   * Reads an array of names; a missing one is empty.
   *
   * @return null if a name is wrong, which is added to the errors of the value
   */
  public static @Nullable List<String> read(@Nullable JsonValueReader value) {
    List<JsonValueReader> items = value == null ? List.of() : value.array(MAX_FIELDS);
    if (items == null) {
      return null;
    }
    List<String> names = new ArrayList<>();
    for (JsonValueReader item : items) {
      String name = item.text();
      if (name != null && (!isName(name) || names.contains(name))) {
        item.addError(
            "must be the name of a metadata field with at most "
                + MAX_CHARACTERS
                + " characters, each once");
      } else if (name != null) {
        names.add(name);
      }
    }
    return names.size() == items.size() ? names : null;
  }

  private static boolean isName(String name) {
    return !name.isBlank() && name.length() <= MAX_CHARACTERS && name.indexOf('\0') < 0;
  }
}
