// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.policy.Problem;
import java.util.regex.Pattern;

/** The ids of tasks, batches and keys, which stand in paths and queries. */
final class Ids {

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9-]{1,100}");
  private static final Pattern UUID =
      Pattern.compile("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private Ids() {}

  /** The id of a batch, when it can be one. */
  static String requireBatch(String text) {
    if (!UUID.matcher(text).matches()) {
      throw no("batch", text);
    }
    return text;
  }

  /**
   * The id, when it can be one.
   *
   * @param what of what it is the id
   */
  static String require(String what, String text) {
    if (!ID.matcher(text).matches()) {
      throw no(what, text);
    }
    return text;
  }

  private static AnswerIsNoException no(String what, String text) {
    return new AnswerIsNoException(
        "there is no %s '%s', which is not an id".formatted(what, Problem.quotable(text)));
  }
}
