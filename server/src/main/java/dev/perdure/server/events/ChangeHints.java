// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What changed since the last event: the kinds and batches of the tasks. If there are too many
 * names, or if they are unknown, the list is absent, which means any. Not thread-safe.
 */
final class ChangeHints {

  /** The maximum number of kinds, and of batches, that are named. */
  static final int MAX_NAMES = 20;

  private final Set<String> kinds = new LinkedHashSet<>();
  private final Set<UUID> batches = new LinkedHashSet<>();
  private boolean anyKind;
  private boolean anyBatch;
  private boolean deliveries;

  void addDelivery() {
    deliveries = true;
  }

  void addUnknownChange() {
    anyKind = true;
    anyBatch = true;
  }

  void add(String kind, UUID batch) {
    kinds.add(kind);
    batches.add(batch);
    collapseIfFull();
  }

  void add(ChangeHints others) {
    kinds.addAll(others.kinds);
    batches.addAll(others.batches);
    anyKind |= others.anyKind;
    anyBatch |= others.anyBatch;
    deliveries |= others.deliveries;
    collapseIfFull();
  }

  private void collapseIfFull() {
    anyKind |= kinds.size() > MAX_NAMES;
    anyBatch |= batches.size() > MAX_NAMES;
    if (anyKind) {
      kinds.clear();
    }
    if (anyBatch) {
      batches.clear();
    }
  }

  boolean isEmpty() {
    return kinds.isEmpty() && batches.isEmpty() && !anyKind && !anyBatch && !deliveries;
  }

  void clear() {
    kinds.clear();
    batches.clear();
    anyKind = false;
    anyBatch = false;
    deliveries = false;
  }

  /** The data of an event. An absent list means any. */
  String json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    if (!anyKind) {
      kinds.forEach(json.putArray("kinds")::add);
    }
    if (!anyBatch) {
      var array = json.putArray("batches");
      batches.forEach(batch -> array.add(batch.toString()));
    }
    if (deliveries) {
      json.put("deliveries", true);
    }
    return json.toString();
  }
}
