// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

/**
 * Runs the tasks of one kind. Returning means success, throwing means failure. It runs on a virtual
 * thread of its own, at least once per attempt, and is interrupted when the task is canceled, when
 * it is inactive for its timeout, or when the node stops.
 *
 * <p>A handler that stops early because it was asked to ends with {@code throw context.handBack()},
 * or lets the InterruptedException through. When the node stops, a plain return counts as a
 * hand-back too if the handler has noticed the stop: {@link TaskContext#stopping()} returned true,
 * or the thread's interrupt flag is set. Work that was in fact finished then runs once more.
 */
@FunctionalInterface
public interface TaskHandler<P> {

  void handle(P payload, TaskContext context) throws Exception;
}
