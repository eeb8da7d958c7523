// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.io.Serializable;

/**
 * One validation error of a policy.
 *
 * @param path the path to the field, such as {@code backoff.initial} or {@code overrides[1].on[0]};
 *     empty for the policy as a whole
 * @param message what is wrong and how to fix it
 */
public record FieldError(String path, String message) implements Serializable {

  private static final int MAX_QUOTE_LENGTH = 60;

  /** Returns the same error with {@code parent} put before its path. */
  public FieldError under(String parent) {
    if (path.isEmpty()) {
      return new FieldError(parent, message);
    }
    return new FieldError(path.startsWith("[") ? parent + path : parent + "." + path, message);
  }

  /** Shortens user input and replaces control characters, so that an error message can quote it. */
  public static String sanitize(String input) {
    boolean fits = input.length() <= MAX_QUOTE_LENGTH;
    String start = fits ? input : input.substring(0, MAX_QUOTE_LENGTH);
    // Cutting may split a surrogate pair, and half a pair cannot be encoded in UTF-8.
    String line = start.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
    return fits ? line : line + "…";
  }

  @Override
  public String toString() {
    return path.isEmpty() ? message : path + ": " + message;
  }
}
