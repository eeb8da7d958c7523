// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TraceContext;

/**
 * Records what tasks do as spans, and says what is passed on to whoever does them. It hears of the
 * engine like any other listener.
 */
@FunctionalInterface
public interface TaskTracer extends EngineListener {

  /** Records nothing. The submitter's span stays the parent, since there is none between. */
  TaskTracer NONE = Task::trace;

  /**
   * The parent of what this attempt causes. The same on every node and whenever it is asked: the
   * attempt may end elsewhere than it began.
   */
  TraceContext attemptParent(Task task);
}
