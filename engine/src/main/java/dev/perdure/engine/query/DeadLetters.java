// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

/**
 * How many tasks and deliveries were given up. Each count stops at {@value #MAX_COUNTED}.
 *
 * @param tasks all tasks that failed
 * @param recentTasks those that failed within the last hour
 * @param deliveries all deliveries that were given up
 */
public record DeadLetters(long tasks, long recentTasks, long deliveries) {

  public static final int MAX_COUNTED = 10_000;
}
