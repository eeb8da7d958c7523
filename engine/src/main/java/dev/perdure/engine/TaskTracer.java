// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TraceContext;

/**
 * Records spans for tasks, and chooses the trace context that workers get. It is a listener like
 * any other.
 */
@FunctionalInterface
public interface TaskTracer extends EngineListener {

  /** Records nothing. The submitter's span stays the parent. */
  TaskTracer NONE = Task::trace;

  /**
   * The trace context for what this attempt does. It must be the same on every node and at any
   * time: the attempt may end on another node than it began on.
   */
  TraceContext attemptParent(Task task);
}
