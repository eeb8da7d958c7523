// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.NumberFormatting;
import dev.perdure.client.PerdureClient;
import dev.perdure.policy.FieldError;
import java.util.List;
import java.util.regex.Pattern;

/** Checks ids of tasks, batches and keys before they become part of a URL. */
final class IdArguments {

  static final String TASK_DESCRIPTION =
      "The task's id; its last characters are enough for a recent task.";

  private static final int MAX_LISTED = 5;
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9-]{1,100}");
  private static final Pattern UUID =
      Pattern.compile("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private IdArguments() {}

  /**
   * The whole id of a task.
   *
   * @param text the id, or its last characters
   */
  static String resolveTask(PerdureClient client, String text) {
    if (!ShortId.matches(require("task", text))) {
      return text;
    }
    List<String> ids = ShortId.find(client, text);
    if (ids.isEmpty()) {
      throw new NotFoundException(
          "no task among the newest %2$s has an id that ends in %1$s"
              .formatted(text, NumberFormatting.count(ShortId.MAX_TASKS_SEARCHED)));
    }
    if (ids.size() > 1) {
      List<String> some = ids.subList(0, Math.min(MAX_LISTED, ids.size()));
      throw new UsageException(
          "ID",
          "%d tasks have ids that end in %s (%s%s): give more characters"
              .formatted(
                  ids.size(),
                  text,
                  String.join(", ", some),
                  some.size() < ids.size() ? ", …" : ""));
    }
    return ids.getFirst();
  }

  /** The id of a batch. */
  static String requireBatch(String text) {
    if (!UUID.matcher(text).matches()) {
      throw notFound("batch", text);
    }
    return text;
  }

  /**
   * Returns the text if it can be an id.
   *
   * @param what the kind of thing it identifies, for the error
   */
  static String require(String what, String text) {
    if (!ID.matcher(text).matches()) {
      throw notFound(what, text);
    }
    return text;
  }

  private static NotFoundException notFound(String what, String text) {
    return new NotFoundException("'%s' is not a %s id".formatted(FieldError.sanitize(text), what));
  }
}
