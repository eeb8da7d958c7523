// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

/**
 * Does the work of one kind of task. Returning means success, throwing means failure. It runs on a
 * virtual thread of its own, at least once per attempt, and is interrupted when the task is
 * canceled, silent for too long, or the node stops.
 */
@FunctionalInterface
public interface TaskHandler<P> {

  void handle(P payload, TaskContext context) throws Exception;
}
