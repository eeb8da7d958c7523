// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.io.Serializable;

/**
 * One thing wrong with a policy.
 *
 * @param path where it stands, such as {@code backoff.initial} or {@code overrides[1].on[0]}; empty
 *     for the policy as a whole
 * @param message what is wrong and what would be right
 */
public record FieldError(String path, String message) implements Serializable {

  private static final int MAX_QUOTE_LENGTH = 60;

  /** The same problem, seen from the thing that holds this one under the given name. */
  public FieldError under(String parent) {
    if (path.isEmpty()) {
      return new FieldError(parent, message);
    }
    return new FieldError(path.startsWith("[") ? parent + path : parent + "." + path, message);
  }

  /** Somebody's input, cut and cleaned so that it can stand in a message. */
  public static String sanitize(String input) {
    boolean fits = input.length() <= MAX_QUOTE_LENGTH;
    String start = fits ? input : input.substring(0, MAX_QUOTE_LENGTH);
    // The cut may halve a surrogate pair, and half a pair cannot be sent as UTF-8.
    String line = start.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
    return fits ? line : line + "…";
  }

  @Override
  public String toString() {
    return path.isEmpty() ? message : path + ": " + message;
  }
}
