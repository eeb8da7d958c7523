// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.ShortId;
import dev.perdure.client.PerdureClient;
import dev.perdure.policy.FieldError;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Checks ids of tasks, batches and keys before they become part of a URL. */
final class IdArguments {

  static final String TASK_DESCRIPTION = "The task's id, whole or as perdure tasks shows it.";

  static final String BATCH_DESCRIPTION = "The batch's id, whole or as perdure batches shows it.";

  private static final int MAX_LISTED = 5;
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9-]{1,100}");
  private static final Pattern UUID =
      Pattern.compile("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final String BATCHES = "/batches";

  private IdArguments() {}

  /** The whole id of a task. */
  static String resolveTask(PerdureClient client, String text) {
    return resolve(client, "/task", "task", text);
  }

  /** The whole id of a delivery. */
  static String resolveDelivery(PerdureClient client, String text) {
    return resolve(client, "/delivery", "delivery", text);
  }

  /** The whole id of a batch. */
  static String resolveBatch(PerdureClient client, String text) {
    if (!UUID.matcher(text).matches() && !ShortId.matches(text)) {
      throw notFound("batch", text);
    }
    return resolve(client, BATCHES, "batch", text);
  }

  /** The whole id of a task, delivery or batch; other texts, such as ids of keys, stay. */
  static String resolveSubject(PerdureClient client, String text) {
    if (!ShortId.matches(require("task, delivery, batch or key", text))) {
      return text;
    }
    if (!find(client, "/task", text).isEmpty()) {
      return resolveTask(client, text);
    }
    return find(client, "/delivery", text).isEmpty()
        ? resolveBatch(client, text)
        : resolveDelivery(client, text);
  }

  /**
   * The whole id.
   *
   * @param path a list that is sorted by id, the greatest first
   * @param text the id, or a short one
   */
  private static String resolve(PerdureClient client, String path, String what, String text) {
    if (!ShortId.matches(require(what, text))) {
      return text;
    }
    List<String> ids = find(client, path, text);
    if (ids.isEmpty()) {
      throw new NotFoundException("there is no %s %s".formatted(what, text));
    }
    if (ids.size() > 1) {
      throw new UsageException(
          "ID",
          "%s is not enough, because there are %s%s: give more characters"
              .formatted(
                  text,
                  String.join(", ", ids.subList(0, Math.min(MAX_LISTED, ids.size()))),
                  ids.size() > MAX_LISTED ? " and others" : ""));
    }
    return ids.getFirst();
  }

  /** Reads a page for each possible beginning of the id. */
  private static List<String> find(PerdureClient client, String path, String text) {
    for (String newest : ids(client, path, Map.of("page_size", "1"))) {
      for (String beginning : ShortId.beginnings(text, newest)) {
        List<String> found =
            ids(client, path, Map.of("after", ShortId.last(beginning))).stream()
                .filter(id -> id.startsWith(beginning))
                .toList();
        if (!found.isEmpty()) {
          return found;
        }
      }
    }
    return List.of();
  }

  private static List<String> ids(PerdureClient client, String path, Map<String, String> query) {
    String field = path.equals(BATCHES) ? "batch_id" : "id";
    return client.get(path, query).page(row -> row.path(field).asString("")).items();
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
