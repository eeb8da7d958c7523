// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import java.util.LinkedHashSet;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** A few names, or any if there are too many. Not thread-safe. */
final class BoundedNames {

  /** The maximum number of names. */
  static final int MAX_NAMES = 20;

  private final Set<String> names = new LinkedHashSet<>();
  private boolean any;

  void add(String name) {
    if (!any) {
      names.add(name);
      collapseIfFull();
    }
  }

  void addAny() {
    any = true;
    names.clear();
  }

  void addAll(BoundedNames others) {
    names.addAll(others.names);
    any |= others.any;
    collapseIfFull();
  }

  private void collapseIfFull() {
    if (any || names.size() > MAX_NAMES) {
      addAny();
    }
  }

  boolean isEmpty() {
    return names.isEmpty() && !any;
  }

  void clear() {
    names.clear();
    any = false;
  }

  /** Writes the names; nothing if they are any. */
  void write(ObjectNode json, String field) {
    if (!any) {
      names.forEach(json.putArray(field)::add);
    }
  }
}
