// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import java.util.Locale;
import java.util.regex.Pattern;

/** Converts field names between {@code snake_case} and {@code camelCase}. */
final class FieldNameCase {

  private static final Pattern BREAK = Pattern.compile("_([a-z])");

  private FieldNameCase() {}

  static String camel(String snake) {
    return BREAK.matcher(snake).replaceAll(hit -> hit.group(1).toUpperCase(Locale.ROOT));
  }

  static boolean isCamel(String name) {
    return name.chars().anyMatch(Character::isUpperCase);
  }
}
