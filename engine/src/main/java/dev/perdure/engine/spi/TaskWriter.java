// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskChange;
import java.util.List;

/**
 * The writes that may also happen in a caller's own transaction. On a {@link TaskStore} each is a
 * transaction of its own and durable when the method returns; on a {@link CallersTransaction} both
 * become true when the caller commits.
 */
public interface TaskWriter {

  /**
   * Adds all of these tasks or none; none when their batch was submitted before, or when their key
   * stands for another. The key is written with them, and of submissions that come at once under
   * one key, one is stored.
   *
   * @throws IllegalArgumentException when the shards of the batch, its tasks and its key differ
   */
  SubmissionReceipt submit(Submission submission);

  /**
   * Writes each change whose guard still holds, with the record of the attempt that ends with it
   * and the deliveries that tell of it. The others change nothing. All changes of one shard are one
   * transaction. Of several changes of one task only the first is tried; the others are refused.
   *
   * <p>When it throws, whatever the sort, the changes of some shards may have been written and
   * those of others not; only changes of a single shard are all or none.
   *
   * @return one verdict per change, in the same order
   */
  List<WriteResult> apply(List<TaskChange> taskChanges);
}
