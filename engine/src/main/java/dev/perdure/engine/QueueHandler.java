// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

/**
 * Runs the tasks of a queue, whatever their kind. As with a {@link TaskHandler}, returning means
 * success and throwing means failure. It can also {@link TaskContext#handOff hand off} the work to
 * a callee.
 */
@FunctionalInterface
public interface QueueHandler {

  void handle(TaskContext context) throws Exception;
}
