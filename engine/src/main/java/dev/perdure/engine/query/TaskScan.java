// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.TaskRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Collects what a store finds for one page, shard by shard, and makes the page.
 *
 * <p>A shard that reaches its scan limit may have further matches after the last task it looked at.
 * So the page ends at the first of these tasks: what other shards found after it is left to the
 * next page, which begins there.
 */
public final class TaskScan {

  private final TaskSort sort;
  private final int size;
  private final int limit;
  private final List<TaskRow> found = new ArrayList<>();
  private final List<TaskRow> stops = new ArrayList<>();

  /**
   * @param size the most tasks on the page
   * @param limit the most tasks to look at
   */
  public TaskScan(TaskSort sort, int size, int limit) {
    this.sort = sort;
    this.size = size;
    this.limit = limit;
  }

  /** Adds a task that matches. Each shard adds its first ones, in any order: one more than fit. */
  public void addMatch(TaskRow task) {
    found.add(task);
  }

  /**
   * Adds the last task that a shard looked at because of its scan limit. If it matches, it must be
   * added as a match too.
   */
  public void addStop(TaskRow task) {
    stops.add(task);
  }

  public TaskPage page() {
    Comparator<TaskRow> order = sort.comparator();
    Optional<TaskRow> stop = stops.stream().min(order);
    List<TaskRow> matches =
        found.stream()
            .filter(task -> stop.isEmpty() || order.compare(task, stop.get()) <= 0)
            .sorted(order)
            .toList();
    boolean more = matches.size() > size || (matches.size() == size && stop.isPresent());
    if (more) {
      return new TaskPage(matches.subList(0, size), sort.cursorAfter(matches.get(size - 1)));
    }
    return stop.map(last -> new TaskPage(matches, sort.cursorAfter(last), limit, sort.at(last)))
        .orElseGet(() -> new TaskPage(matches, null));
  }
}
