// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which handler does which kind. Safe to share. */
final class Handlers {

  /** A handler with what it takes and what is special about it. */
  record Registration<P>(Class<P> type, TaskHandler<P> handler, HandlerOptions options) {}

  private final Map<String, Registration<?>> byKind = new ConcurrentHashMap<>();

  void add(String kind, Registration<?> registration) {
    if (byKind.putIfAbsent(kind, registration) != null) {
      throw new IllegalArgumentException("kind: '" + kind + "' has a handler already");
    }
  }

  @Nullable Registration<?> of(String kind) {
    return byKind.get(kind);
  }

  List<String> kinds() {
    return byKind.keySet().stream().sorted().toList();
  }
}
