// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.Limit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The handlers by kind or queue. Thread-safe. */
final class HandlerRegistry {

  /** A handler with its payload type and options. */
  record HandlerRegistration<P>(Class<P> type, TaskHandler<P> handler, HandlerOptions options) {}

  private final Map<String, HandlerRegistration<?>> byQueue = new ConcurrentHashMap<>();

  static void requireKind(String kind) {
    if (kind.startsWith(NewTask.QUEUE_PREFIX)) {
      throw new IllegalArgumentException(
          "kind: must not begin with '"
              + NewTask.QUEUE_PREFIX
              + "', which is reserved for queues; use registerQueue");
    }
  }

  void add(String name, HandlerRegistration<?> registration) {
    if (byQueue.putIfAbsent(name, registration) != null) {
      throw new IllegalArgumentException("'" + name + "' already has a handler");
    }
  }

  @Nullable HandlerRegistration<?> find(String name) {
    return byQueue.get(name);
  }

  List<String> queues() {
    return byQueue.keySet().stream().sorted().toList();
  }

  /** The limits of the kinds that have a handler; empty lists for those without limits. */
  Map<String, List<Limit>> limits() {
    Map<String, List<Limit>> limits = new TreeMap<>();
    byQueue.forEach(
        (name, registration) -> {
          if (!name.startsWith(NewTask.QUEUE_PREFIX)) {
            limits.put(name, registration.options().limits());
          }
        });
    return limits;
  }
}
