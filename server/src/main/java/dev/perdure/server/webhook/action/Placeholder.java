// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import dev.perdure.engine.query.ParentTask;
import dev.perdure.policy.InstantText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A variable of a body template.
 *
 * @param isJson whether the value is JSON, not text
 * @param parent the id of the parent that it is about, as the task names it; null for none
 * @param usesDefinition whether it needs the name or the context of the batch
 */
record Placeholder(Value value, boolean isJson, @Nullable String parent, boolean usesDefinition) {

  private static final String PARENTS = "parents.";
  private static final String RESULT = ".result";
  private static final String STATUS = ".status";
  private static final Map<String, Placeholder> FIXED = fixed();

  /** The names to show and to suggest. */
  static final List<String> NAMES =
      Stream.concat(
              FIXED.keySet().stream(),
              Stream.of(PARENTS + "<id>" + RESULT, PARENTS + "<id>" + STATUS))
          .toList();

  /** Finds the value. */
  interface Value {
    @Nullable String of(WebhookTaskData task, BatchData batch);
  }

  private static Map<String, Placeholder> fixed() {
    Map<String, Placeholder> all = new LinkedHashMap<>();
    all.put("task.id", text((task, batch) -> task.id().toString()));
    all.put("task.status", text((task, batch) -> task.status()));
    all.put("task.failure_reason", text((task, batch) -> task.failureReason()));
    all.put("task.attempt", text((task, batch) -> Long.toString(task.attempt())));
    all.put("task.next_attempt", text((task, batch) -> nextAttempt(task)));
    all.put("task.next_retry_at", text((task, batch) -> InstantText.of(task.nextRetryAt())));
    all.put("batch.id", text((task, batch) -> batch.id().toString()));
    all.put(
        "batch.name",
        new Placeholder((task, batch) -> batch.definition().name(), false, null, true));
    all.put(
        "batch.context",
        new Placeholder((task, batch) -> batch.definition().context(), true, null, true));
    return all;
  }

  private static Placeholder text(Value value) {
    return new Placeholder(value, false, null, false);
  }

  private static @Nullable String nextAttempt(WebhookTaskData task) {
    return task.nextRetryAt() == null ? null : Long.toString(task.attempt() + 1);
  }

  /** The placeholder with this name; empty when there is none. */
  static Optional<Placeholder> of(String name) {
    Placeholder fixed = FIXED.get(name);
    if (fixed != null || !name.startsWith(PARENTS)) {
      return Optional.ofNullable(fixed);
    }
    return ofParent(name, RESULT, true, Placeholder::result)
        .or(() -> ofParent(name, STATUS, false, parent -> parent.status().toString()));
  }

  private interface ParentValue {
    @Nullable String of(ParentTask parent);
  }

  private static Optional<Placeholder> ofParent(
      String name, String suffix, boolean isJson, ParentValue value) {
    int end = name.length() - suffix.length();
    if (!name.endsWith(suffix) || end <= PARENTS.length()) {
      return Optional.empty();
    }
    String id = name.substring(PARENTS.length(), end);
    return Optional.of(
        new Placeholder(
            (task, batch) -> {
              ParentTask parent = batch.parents().get(id);
              return parent == null ? null : value.of(parent);
            },
            isJson,
            id,
            false));
  }

  /** Refers to a result that is too large by the id of its task. */
  private static @Nullable String result(ParentTask parent) {
    return parent.resultOmitted()
        ? JsonNodeFactory.instance
            .objectNode()
            .put("result_omitted", true)
            .put("id", parent.id().toString())
            .toString()
        : parent.result();
  }

  /** The value: JSON, or a text that is empty when there is none. */
  String render(WebhookTaskData task, BatchData batch) {
    String found = value.of(task, batch);
    return found == null ? (isJson ? "null" : "") : found;
  }
}
