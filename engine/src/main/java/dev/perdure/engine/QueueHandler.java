// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

/**
 * Does the tasks of a lane, whatever their kind. As with a {@link TaskHandler}, returning means
 * success and throwing means failure; it may also {@link TaskContext#handOff entrust} the work to a
 * callee elsewhere.
 */
@FunctionalInterface
public interface QueueHandler {

  void handle(TaskContext context) throws Exception;
}
