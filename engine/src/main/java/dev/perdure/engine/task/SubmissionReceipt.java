// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The answer to a submission.
 *
 * @param batch the batch that holds the tasks: the submission's own, or the one that was stored
 *     first under the same key. If all tasks are duplicates, nothing was stored, and it is the
 *     batch of the first task that exists
 * @param ids the ids of the tasks in the order of their submission. A duplicate gets the ids of the
 *     first submission, without tasks that have been purged since; a conflict gets none. For {@link
 *     SubmissionStatus#UNKNOWN_PARENT} they are the tasks that do not exist
 * @param duplicates the positions in {@code ids} of tasks that were not stored, because a live task
 *     has their dedupe key; the ids there are those of the live tasks
 */
public record SubmissionReceipt(
    UUID batch, List<UUID> ids, SubmissionStatus status, Set<Integer> duplicates) {

  public SubmissionReceipt {
    ids = List.copyOf(ids);
    duplicates = Set.copyOf(duplicates);
  }

  /** The answer to a submission without duplicates of live tasks. */
  public SubmissionReceipt(UUID batch, List<UUID> ids, SubmissionStatus status) {
    this(batch, ids, status, Set.of());
  }

  /** True if the task at this position was not stored, because a live task has its dedupe key. */
  public boolean isDuplicate(int position) {
    return duplicates.contains(position);
  }

  /** The number of tasks that were stored. */
  public int stored() {
    return status == SubmissionStatus.STORED ? ids.size() - duplicates.size() : 0;
  }

  /** What the store did with a submission. */
  public enum SubmissionStatus {
    /** The tasks are stored, except duplicates of live tasks. */
    STORED,
    /** Nothing was stored: the same content was stored before under the same key. */
    DUPLICATE,
    /** Nothing was stored: the key belongs to other content. */
    CONFLICT,
    /** Nothing was stored: tasks that it depends on do not exist. */
    UNKNOWN_PARENT
  }
}
