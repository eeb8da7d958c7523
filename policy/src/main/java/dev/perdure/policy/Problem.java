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
public record Problem(String path, String message) implements Serializable {

  private static final int LONGEST_QUOTE = 60;

  /** The same problem, seen from the thing that holds this one under the given name. */
  public Problem under(String parent) {
    if (path.isEmpty()) {
      return new Problem(parent, message);
    }
    return new Problem(path.startsWith("[") ? parent + path : parent + "." + path, message);
  }

  /** Somebody's input, cut and cleaned so that it can stand in a message. */
  public static String quotable(String input) {
    boolean fits = input.length() <= LONGEST_QUOTE;
    String start = fits ? input : input.substring(0, LONGEST_QUOTE);
    // The cut may halve a surrogate pair, and half a pair cannot be sent as UTF-8.
    String line = start.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
    return fits ? line : line + "…";
  }

  @Override
  public String toString() {
    return path.isEmpty() ? message : path + ": " + message;
  }
}
