// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import dev.perdure.engine.task.Task;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What changed since the last event: tasks with their kinds and batches, batches as a whole,
 * schedules, nodes and deliveries. If there are too many names, or if they are unknown, the list is
 * absent, which means any. Not thread-safe.
 */
final class ChangeHints {

  private final BoundedNames kinds = new BoundedNames();
  private final BoundedNames batches = new BoundedNames();
  private final BoundedNames tasks = new BoundedNames();
  private final BoundedNames changedBatches = new BoundedNames();
  private boolean deliveries;
  private boolean schedules;
  private boolean nodes;

  void addDelivery() {
    deliveries = true;
  }

  void addSchedules() {
    schedules = true;
  }

  void addNodes() {
    nodes = true;
  }

  /** The counters of the batch have changed; null for any batch. */
  void addBatch(@Nullable UUID batch) {
    if (batch == null) {
      changedBatches.addAny();
    } else {
      changedBatches.add(batch.toString());
    }
  }

  void addUnknownChange() {
    kinds.addAny();
    batches.addAny();
    tasks.addAny();
  }

  void add(Task task) {
    add(task.definition().kind(), task.batch(), task.id());
  }

  void add(String kind, UUID batch, UUID task) {
    kinds.add(kind);
    batches.add(batch.toString());
    tasks.add(task.toString());
  }

  void add(ChangeHints others) {
    kinds.addAll(others.kinds);
    batches.addAll(others.batches);
    tasks.addAll(others.tasks);
    changedBatches.addAll(others.changedBatches);
    deliveries |= others.deliveries;
    schedules |= others.schedules;
    nodes |= others.nodes;
  }

  private boolean hasTasks() {
    return !kinds.isEmpty() || !batches.isEmpty() || deliveries;
  }

  boolean isEmpty() {
    return !hasTasks() && changedBatches.isEmpty() && !schedules && !nodes;
  }

  void clear() {
    kinds.clear();
    batches.clear();
    tasks.clear();
    changedBatches.clear();
    deliveries = false;
    schedules = false;
    nodes = false;
  }

  /** The events to send; empty if nothing changed. */
  String events() {
    StringBuilder text = new StringBuilder();
    if (hasTasks()) {
      text.append(event("tasks", json()));
    }
    if (!changedBatches.isEmpty()) {
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      changedBatches.write(json, "batches");
      text.append(event("batches", json.toString()));
    }
    if (schedules) {
      text.append(event("schedules", "{}"));
    }
    if (nodes) {
      text.append(event("nodes", "{}"));
    }
    return text.toString();
  }

  static String event(String name, String data) {
    return "event: %s\ndata: %s\n\n".formatted(name, data);
  }

  /** The data of the event about tasks. An absent list means any. */
  String json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    kinds.write(json, "kinds");
    batches.write(json, "batches");
    tasks.write(json, "tasks");
    if (deliveries) {
      json.put("deliveries", true);
    }
    return json.toString();
  }
}
