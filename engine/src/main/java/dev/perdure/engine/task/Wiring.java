// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * How a task is connected to the world outside the handlers.
 *
 * @param queue the name under which it is claimed instead of its kind; null means its kind
 * @param actions whom to call and to tell, JSON; only an {@link DeliveryPlanner} and the handler of
 *     the lane read it
 * @param trace where in a trace its submitter was; null when it was in none
 */
public record Wiring(
    @Nullable String queue, @Nullable String actions, @Nullable TraceContext trace) {

  /** Done by the handler of its kind; nobody is told. */
  public static final Wiring NONE = new Wiring(null, null, null);

  /** The trace as it is kept. */
  public @Nullable String traceText() {
    return trace == null ? null : trace.text();
  }
}
