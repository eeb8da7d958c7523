// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.policy.Problem;
import java.util.regex.Pattern;

/** The ids of tasks and keys, which stand in paths. */
final class Ids {

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9-]{1,100}");

  private Ids() {}

  /**
   * The id, when it can be one.
   *
   * @param what of what it is the id
   */
  static String require(String what, String text) {
    if (!ID.matcher(text).matches()) {
      throw new AnswerIsNoException(
          "there is no %s '%s', which is not an id".formatted(what, Problem.quotable(text)));
    }
    return text;
  }
}
