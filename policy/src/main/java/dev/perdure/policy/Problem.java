// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

/**
 * One thing wrong with a policy.
 *
 * @param path where it stands, such as {@code backoff.initial} or {@code overrides[1].on[0]}; empty
 *     for the policy as a whole
 * @param message what is wrong and what would be right
 */
public record Problem(String path, String message) {

  private static final int LONGEST_QUOTE = 60;

  /** The same problem, seen from the thing that holds this one under the given name. */
  public Problem under(String parent) {
    if (path.isEmpty()) {
      return new Problem(parent, message);
    }
    return new Problem(path.startsWith("[") ? parent + path : parent + "." + path, message);
  }

  /** Somebody's input, cut so that it can stand in a message. */
  public static String quotable(String input) {
    String line = input.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= LONGEST_QUOTE ? line : line.substring(0, LONGEST_QUOTE) + "…";
  }

  @Override
  public String toString() {
    return path.isEmpty() ? message : path + ": " + message;
  }
}
