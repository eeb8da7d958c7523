// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which handler does which kind. Safe to share. */
final class HandlerRegistry {

  /** A handler with what it takes and what is special about it. */
  record HandlerRegistration<P>(Class<P> type, TaskHandler<P> handler, HandlerOptions options) {}

  private final Map<String, HandlerRegistration<?>> byQueue = new ConcurrentHashMap<>();

  void add(String kind, HandlerRegistration<?> handlerRegistration) {
    if (byQueue.putIfAbsent(kind, handlerRegistration) != null) {
      throw new IllegalArgumentException("kind: '" + kind + "' has a handler already");
    }
  }

  @Nullable HandlerRegistration<?> find(String kind) {
    return byQueue.get(kind);
  }

  List<String> queues() {
    return byQueue.keySet().stream().sorted().toList();
  }
}
