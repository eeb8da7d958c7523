// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

/**
 * Does the work of one kind of task. Returning means success, throwing means failure. It runs on a
 * virtual thread of its own, at least once per attempt, and is interrupted when the task is
 * canceled, silent for too long, or the node stops.
 *
 * <p>A handler that breaks off because it was told to says so: {@code throw context.handBack()}, or
 * it lets the InterruptedException through. When the node stops, a return is taken for a hand-back
 * too if the handler had noticed: it had asked {@link TaskContext#stopping()} and heard yes, or the
 * interrupt flag of its thread is set. Work that was in fact finished then runs once more.
 */
@FunctionalInterface
public interface TaskHandler<P> {

  void handle(P payload, TaskContext context) throws Exception;
}
