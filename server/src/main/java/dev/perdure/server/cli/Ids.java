// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.policy.Problem;
import dev.perdure.server.cli.client.Client;
import dev.perdure.server.cli.client.ShortId;
import dev.perdure.server.cli.text.Numbers;
import java.util.List;
import java.util.regex.Pattern;

/** The ids of tasks, batches and keys, which stand in paths and queries. */
final class Ids {

  /** What a command may be given to name a task. */
  static final String TASK = "The task; of a new one the last letters will do.";

  private static final int MOST_NAMED = 5;
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9-]{1,100}");
  private static final Pattern UUID =
      Pattern.compile("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private Ids() {}

  /**
   * The whole id of a task, when it can be one.
   *
   * @param text the id, or its last letters
   */
  static String task(Client client, String text) {
    if (!ShortId.is(require("task", text))) {
      return text;
    }
    List<String> ids = ShortId.find(client, text);
    if (ids.isEmpty()) {
      throw new AnswerIsNoException(
          "there is no task whose id ends in %s among the newest %s"
              .formatted(text, Numbers.count(ShortId.MOST_TASKS)));
    }
    if (ids.size() > 1) {
      List<String> some = ids.subList(0, Math.min(MOST_NAMED, ids.size()));
      throw new WrongUseException(
          "ID",
          "%d ids end in %s: give more letters (%s%s)"
              .formatted(
                  ids.size(),
                  text,
                  String.join(", ", some),
                  some.size() < ids.size() ? ", …" : ""));
    }
    return ids.getFirst();
  }

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
