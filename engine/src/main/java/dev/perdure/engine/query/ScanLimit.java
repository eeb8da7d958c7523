// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

/**
 * How many tasks one request may look at to find those that match.
 *
 * @param tasks the most tasks to look at
 * @param tasksWithText the most tasks to look at when the filter searches for text, which costs
 *     more for each task
 */
public record ScanLimit(int tasks, int tasksWithText) {

  public static final ScanLimit DEFAULT = new ScanLimit(50_000, 20_000);

  /** Looks at every task. */
  public static final ScanLimit NONE = of(Integer.MAX_VALUE);

  public ScanLimit {
    if (tasks < 1 || tasksWithText < 1) {
      throw new IllegalArgumentException("a scan must look at 1 task at least");
    }
  }

  /** The same limit for every filter. */
  public static ScanLimit of(int tasks) {
    return new ScanLimit(tasks, tasks);
  }

  /** The most tasks to look at with this filter. */
  public int of(TaskFilter filter) {
    return filter.search().text() == null ? tasks : tasksWithText;
  }

  /** The limit of each part when a request needs several scans. */
  public ScanLimit dividedBy(int parts) {
    return new ScanLimit(Math.ceilDiv(tasks, parts), Math.ceilDiv(tasksWithText, parts));
  }
}
