// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Task;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads tasks. */
public interface TaskReader {

  Optional<Task> find(UUID id);

  /** The live task of the shard that has this dedupe key. */
  Optional<UUID> findByDedupeKey(int shard, String key);

  /**
   * The tasks with these ids that exist, in any order. Each is read whole, so ask for a few at a
   * time.
   */
  default List<Task> findAll(List<UUID> ids) {
    return ids.stream().flatMap(id -> find(id).stream()).toList();
  }

  /** The records of the task's ended leases, oldest first: the newest {@code limit} of them. */
  List<Attempt> attempts(UUID id, int limit);

  /**
   * The records of the task's ended leases without their stack traces and results, newest first.
   *
   * @param before only those of earlier leases than the one with this epoch
   */
  List<AttemptRow> attemptRows(UUID id, long before, int limit);

  /** The record of the lease with this epoch, if it has ended. */
  Optional<Attempt> attempt(UUID id, long epoch);

  /** How much belongs to the task; {@link TaskRelations#NONE} when there is no such task. */
  TaskRelations relations(UUID id);

  /** One page, newest first. */
  default TaskPage list(TaskFilter filter, PageRequest page) {
    return list(filter, TaskSort.NEWEST, page);
  }

  /**
   * One page. It looks at no more tasks than the request's {@link ScanLimit}, so it may be short or
   * empty although there is a next page. A task that is neither added, deleted nor moved to another
   * position while you page is on exactly one page.
   */
  TaskPage list(TaskFilter filter, TaskSort sort, PageRequest page);

  /** How many tasks match; counting stops at the limit. Looks at every task until then. */
  default long count(TaskFilter filter, int limit) {
    return count(filter, limit, ScanLimit.NONE).tasks();
  }

  /** How many tasks match; counting stops at the limit, or when it has looked at enough tasks. */
  TaskCount count(TaskFilter filter, int limit, ScanLimit scanLimit);

  /** Counts the live tasks. */
  Backlog backlog();

  /** Counts the live tasks and, within limits, the ended ones. */
  StoreStatistics statistics();

  /** Groups failed tasks, or waiting retries, by their errors. */
  ErrorGroups errors(ErrorQuery query);

  /** Counts the waiting retries by the time at which they become due. */
  RetryWave retryWave(RetryWaveQuery query);
}
