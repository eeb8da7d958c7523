// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads batches and what their tasks depend on. */
public interface BatchReader {

  Optional<BatchSummary> find(UUID batch);

  /** What was submitted for the batch as a whole. */
  Optional<BatchDefinition> definition(UUID batch);

  /** The number of the current run of the batch, from 0; empty when there is no such batch. */
  Optional<Integer> currentRun(UUID batch);

  /**
   * The task of this run that failed first, not counting those that failed because of others; empty
   * when there is none.
   */
  Optional<UUID> firstFailed(UUID batch, int run);

  /** Most tasks of batches that a list or a count with a filter looks at. */
  int MAX_LOOK = 50_000;

  /** Most batches that a list or a count with a filter looks at. */
  int MAX_BATCHES = 2_000;

  /** Most tasks that are counted for the summaries of a page, divided among its batches. */
  int MAX_COUNTED = 50_000;

  /**
   * One page, newest first. With a filter for tasks it looks at no more than {@link #MAX_LOOK}
   * tasks, but always at one batch, so it may be short or empty although there is a next page.
   */
  BatchPage list(BatchFilter filter, PageRequest page);

  /** How many batches match; counting stops at the limit, or like {@link #list}. */
  TaskCount count(BatchFilter filter, int limit);

  /**
   * What the tasks of the batch's current run depend on, ordered by child and parent; at most the
   * limit.
   */
  default List<Dependency> dependencies(UUID batch, int limit) {
    return dependencies(batch, null, limit);
  }

  /** The same for the tasks of any run; null means the current one. */
  List<Dependency> dependencies(UUID batch, @Nullable Integer run, int limit);

  /** The first tasks that this one depends on, without their results. */
  default List<ParentTask> parents(UUID task, int limit) {
    return parents(task, null, limit, 0);
  }

  /**
   * The tasks that this one depends on, in the order of their ids; at most the limit.
   *
   * @param after the last one of the page before; null for the first page
   * @param maxResultBytes larger results are left out
   */
  List<ParentTask> parents(UUID task, @Nullable UUID after, int limit, int maxResultBytes);

  /**
   * Those of the tasks that this one depends on that have these names: the local id of a task of
   * the same batch, or the UUID of any. Takes as long with a hundred thousand parents as with one.
   */
  Map<String, ParentTask> namedParents(UUID task, Set<String> names);
}
