// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.Task;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The answer to a submission: its tasks in the order of their submission, which is not the order of
 * their ids, and the live tasks that others are duplicates of.
 */
final class SubmissionJson {

  private static final int MAX_FIND = 100;

  private final TaskReader tasks;
  private final boolean mayRead;

  /**
   * @param mayRead false if the caller must not see what others have submitted
   */
  SubmissionJson(TaskReader tasks, boolean mayRead) {
    this.tasks = tasks;
    this.mayRead = mayRead;
  }

  ArrayNode rows(SubmissionReceipt receipt) {
    Map<UUID, ObjectNode> byId = own(receipt);
    addExisting(receipt, byId);
    ArrayNode rows = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < receipt.ids().size(); i++) {
      ObjectNode row = byId.get(receipt.ids().get(i));
      if (row != null) {
        rows.add(receipt.isDuplicate(i) ? row.deepCopy().put("deduplicated", true) : row);
      }
    }
    return rows;
  }

  private Map<UUID, ObjectNode> own(SubmissionReceipt receipt) {
    Map<UUID, ObjectNode> byId = new HashMap<>();
    if (receipt.duplicates().size() == receipt.ids().size()) {
      return byId;
    }
    if (receipt.ids().size() == 1) {
      tasks
          .find(receipt.ids().getFirst())
          .ifPresent(task -> byId.put(task.id(), TaskJson.row(task.row())));
      return byId;
    }
    BatchTasks.forEach(
        tasks,
        TaskFilter.all().withBatch(receipt.batch()),
        Integer.MAX_VALUE,
        row -> byId.put(row.id(), TaskJson.row(row)));
    return byId;
  }

  private void addExisting(SubmissionReceipt receipt, Map<UUID, ObjectNode> byId) {
    List<UUID> existing =
        receipt.duplicates().stream()
            .map(receipt.ids()::get)
            .filter(id -> !byId.containsKey(id))
            .distinct()
            .toList();
    for (int from = 0; from < existing.size(); from += MAX_FIND) {
      List<UUID> some = existing.subList(from, Math.min(existing.size(), from + MAX_FIND));
      for (Task task : tasks.findAll(some)) {
        ObjectNode row = TaskJson.row(task.row());
        byId.put(task.id(), mayRead ? row : TaskJson.withoutDetails(row));
      }
    }
  }
}
