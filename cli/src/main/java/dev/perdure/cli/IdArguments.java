// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.NumberFormatting;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.ShortId;
import dev.perdure.policy.FieldError;
import java.util.List;
import java.util.regex.Pattern;

/** The ids of tasks, batches and keys, which stand in paths and queries. */
final class IdArguments {

  /** What a command may be given to name a task. */
  static final String TASK_DESCRIPTION = "The task; of a new one the last letters will do.";

  private static final int MAX_LISTED = 5;
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9-]{1,100}");
  private static final Pattern UUID =
      Pattern.compile("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private IdArguments() {}

  /**
   * The whole id of a task, when it can be one.
   *
   * @param text the id, or its last letters
   */
  static String resolveTask(PerdureClient perdureClient, String text) {
    if (!ShortId.matches(require("task", text))) {
      return text;
    }
    List<String> ids = ShortId.find(perdureClient, text);
    if (ids.isEmpty()) {
      throw new NotFoundException(
          "there is no task whose id ends in %s among the newest %s"
              .formatted(text, NumberFormatting.count(ShortId.MAX_TASKS_SEARCHED)));
    }
    if (ids.size() > 1) {
      List<String> some = ids.subList(0, Math.min(MAX_LISTED, ids.size()));
      throw new UsageException(
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
      throw notFound("batch", text);
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
      throw notFound(what, text);
    }
    return text;
  }

  private static NotFoundException notFound(String what, String text) {
    return new NotFoundException(
        "there is no %s '%s', which is not an id".formatted(what, FieldError.sanitize(text)));
  }
}
