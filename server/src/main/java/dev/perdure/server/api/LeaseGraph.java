// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.BatchReader;
import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Task;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Adds to a lease what the worker asked for: the results of the tasks that the task depends on, and
 * its batch. Each costs a query, so a worker that does not ask for them does not pay for them.
 */
final class LeaseGraph {

  static final String PARENTS = "parents";
  static final String BATCH = "batch";

  /** What can be added. */
  static final List<String> PARTS = List.of(PARENTS, BATCH);

  /** Maximum number of parents in a lease. */
  static final int MAX_PARENTS = 100;

  /** Limit for the results in one answer; the others are omitted. */
  private static final long MAX_RESULT_CHARACTERS = 8L << 20;

  private final BatchReader batches;
  private final Set<String> include;
  private final Map<UUID, BatchDefinition> definitions = new HashMap<>();
  private long resultCharacters;

  LeaseGraph(BatchReader batches, Set<String> include) {
    this.batches = batches;
    this.include = include;
  }

  ObjectNode addTo(ObjectNode lease, Task task) {
    if (include.contains(PARENTS)) {
      addParents(lease.putArray(PARENTS), task.id());
    }
    if (include.contains(BATCH)) {
      addBatch(lease, task.batch());
    }
    return lease;
  }

  private void addParents(ArrayNode parents, UUID task) {
    for (ParentTask parent : batches.parents(task, null, MAX_PARENTS, ParentTask.MAX_RESULT_BYTES)) {
      ObjectNode json =
          parents
              .addObject()
              .put("id", parent.id().toString())
              .put("local_id", parent.localId())
              .put("status", parent.status().toString());
      String result = parent.result();
      resultCharacters += result == null ? 0 : result.length();
      if (parent.resultOmitted() || resultCharacters > MAX_RESULT_CHARACTERS) {
        json.put("result_omitted", true);
      } else {
        json.set("result", TaskJson.parseStored(result));
      }
    }
  }

  private void addBatch(ObjectNode lease, UUID batch) {
    BatchDefinition definition =
        definitions.computeIfAbsent(
            batch, id -> batches.definition(id).orElse(BatchDefinition.NONE));
    lease
        .putObject(BATCH)
        .put("id", batch.toString())
        .put("name", definition.name())
        .set("context", TaskJson.parseStored(definition.context()));
  }
}
