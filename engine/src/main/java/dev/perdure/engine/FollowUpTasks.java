// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.TaskDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Tasks that are submitted when a batch is final, as the store keeps them. */
final class FollowUpTasks {

  private static final JsonMapper JSON = JsonMapper.shared();

  /**
   * A task to submit.
   *
   * @param on the outcome that it is submitted for; null means any
   */
  record FollowUp(@Nullable BatchOutcome on, TaskDefinition task) {}

  private FollowUpTasks() {}

  static @Nullable String write(List<FollowUp> tasks) {
    if (tasks.isEmpty()) {
      return null;
    }
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    for (FollowUp task : tasks) {
      ObjectNode one = json.addObject();
      one.put("on", task.on() == null ? null : task.on().text());
      one.set("task", JSON.valueToTree(task.task()));
    }
    return json.toString();
  }

  /** The tasks to submit for this outcome. */
  static List<TaskDefinition> read(@Nullable String text, BatchOutcome outcome) {
    return text == null
        ? List.of()
        : JSON.readTree(text)
            .valueStream()
            .filter(task -> isFor(task.get("on"), outcome))
            .map(task -> JSON.treeToValue(task.get("task"), TaskDefinition.class))
            .toList();
  }

  private static boolean isFor(JsonNode on, BatchOutcome outcome) {
    return on.isNull() || on.stringValue().equals(outcome.text());
  }
}
