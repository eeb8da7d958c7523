// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Task;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Looks at tasks without touching them. */
public interface TaskReader {

  Optional<Task> find(UUID id);

  /** Those of these that there are, in any order. They are read whole: few at a time are best. */
  default List<Task> findAll(List<UUID> ids) {
    return ids.stream().flatMap(id -> find(id).stream()).toList();
  }

  /** Every lease of the task that ended, oldest first, at most this many from the newest. */
  List<Attempt> attempts(UUID id, int limit);

  /** One page, newest first. */
  default TaskPage list(TaskFilter filter, PageRequest page) {
    return list(filter, TaskSort.NEWEST, page);
  }

  /**
   * One page. What neither comes nor goes nor changes its place meanwhile is on exactly one of all
   * pages.
   */
  TaskPage list(TaskFilter filter, TaskSort sort, PageRequest page);

  /** How many match, counted no further than the limit. */
  long count(TaskFilter filter, int limit);

  /** Counts what is live. */
  Backlog backlog();

  /** Counts what is live and, within limits, what has ended. */
  StoreStatistics statistics();
}
