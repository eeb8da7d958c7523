// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

/**
 * How a task stands with the tasks it depends on.
 *
 * @param unmet dependencies that are not satisfied
 * @param failed unmet dependencies that can no longer be satisfied: the parent had to succeed, and
 *     it failed, was canceled, or is about to fail because of its own parents
 */
public record DependencyCounts(int unmet, int failed) {

  public static final DependencyCounts NONE = new DependencyCounts(0, 0);

  public DependencyCounts {
    if (failed < 0 || unmet < failed) {
      throw new IllegalArgumentException(
          "impossible: %d unmet dependencies, %d failed".formatted(unmet, failed));
    }
  }
}
