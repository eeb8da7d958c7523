// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.Task;
import java.util.Map;
import org.slf4j.MDC;

/**
 * Runs work with the keys of its task in SLF4J's MDC, so that every line logged on that thread
 * names the task it is about. Afterwards the MDC is as it was before.
 *
 * @param node the node's name
 */
record LogContext(String node) {

  /** Runs an attempt of the task. */
  void run(Task task, Runnable work) {
    run(
        work,
        Map.of(
            "node", node,
            "task", task.id().toString(),
            "batch", task.batch().toString(),
            "kind", task.definition().kind(),
            "attempt", Long.toString(task.retryCounters().attempt())));
  }

  /** Sends the delivery, which does not know the kind and the attempt of its task. */
  void run(Delivery delivery, Runnable work) {
    run(
        work,
        Map.of(
            "node", node,
            "task", delivery.task().toString(),
            "batch", delivery.batch().toString(),
            "delivery", delivery.id().toString(),
            "trigger", delivery.message().trigger()));
  }

  private static void run(Runnable work, Map<String, String> keys) {
    Map<String, String> before = MDC.getCopyOfContextMap();
    keys.forEach(MDC::put);
    try {
      work.run();
    } finally {
      if (before == null) {
        MDC.clear();
      } else {
        MDC.setContextMap(before);
      }
    }
  }
}
