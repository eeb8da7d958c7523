// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.BatchReader;
import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Lease;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Adds to the leases of one answer what concerns their graphs: the results of the tasks that a task
 * depends on, and its batch if the worker asks for it. A task without parents costs no query.
 */
final class LeaseGraph {

  static final String BATCH = "batch";

  /** What a worker can ask for. */
  static final List<String> PARTS = List.of(BATCH);

  /** Maximum number of parents in a lease. */
  static final int MAX_PARENTS = 1_000;

  /** Maximum number of parents in one answer. */
  static final int MAX_PARENTS_OF_ALL = 10_000;

  private static final int PAGE_SIZE = 100;

  /** Limit for the results in one answer; the others are omitted. */
  private static final long MAX_RESULT_CHARACTERS = 8L << 20;

  private final BatchReader batches;
  private final Set<String> include;
  private final Map<UUID, BatchDefinition> definitions = new HashMap<>();
  private int parentCount;
  private long resultCharacters;

  LeaseGraph(BatchReader batches, Set<String> include) {
    this.batches = batches;
    this.include = include;
  }

  ObjectNode addTo(ObjectNode json, Lease lease) {
    if (lease.hasParents()) {
      boolean complete = addParents(json.putArray("parents"), lease.task().id());
      json.put("parents_truncated", !complete);
    }
    if (include.contains(BATCH)) {
      addBatch(json, lease.task().batch());
    }
    return json;
  }

  /** Returns false if there are more. */
  private boolean addParents(ArrayNode parents, UUID task) {
    int limit = Math.min(MAX_PARENTS, MAX_PARENTS_OF_ALL - parentCount);
    List<ParentTask> page;
    UUID last = null;
    do {
      page = batches.parents(task, last, PAGE_SIZE, maxResultBytes());
      for (ParentTask parent : page) {
        if (parents.size() == limit) {
          return false;
        }
        add(parents.addObject(), parent);
        last = parent.id();
      }
    } while (page.size() == PAGE_SIZE);
    return true;
  }

  private int maxResultBytes() {
    return resultCharacters > MAX_RESULT_CHARACTERS ? 0 : ParentTask.MAX_RESULT_BYTES;
  }

  private void add(ObjectNode json, ParentTask parent) {
    parentCount++;
    json.put("id", parent.id().toString())
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
