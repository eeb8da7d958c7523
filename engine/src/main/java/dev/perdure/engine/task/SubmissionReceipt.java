// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.List;
import java.util.UUID;

/**
 * The answer to a submission.
 *
 * @param batch the batch that holds the tasks: the submission's own, or the one that was stored
 *     first under the same key
 * @param ids the ids of the tasks in the order of their submission. A duplicate gets the ids of the
 *     first submission, without tasks that have been purged since; a conflict gets none. For {@link
 *     SubmissionStatus#UNKNOWN_PARENT} they are the tasks that do not exist
 */
public record SubmissionReceipt(UUID batch, List<UUID> ids, SubmissionStatus status) {

  public SubmissionReceipt {
    ids = List.copyOf(ids);
  }

  /** What the store did with a submission. */
  public enum SubmissionStatus {
    /** The tasks are stored. */
    STORED,
    /** Nothing was stored: the same content was stored before under the same key. */
    DUPLICATE,
    /** Nothing was stored: the key belongs to other content. */
    CONFLICT,
    /** Nothing was stored: tasks that it depends on do not exist. */
    UNKNOWN_PARENT
  }
}
