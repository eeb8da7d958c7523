// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskChange;
import java.util.List;

/**
 * The writes that can also join a caller's transaction. On a {@link TaskStore} each is a
 * transaction of its own and durable when the method returns; on a {@link CallerTransaction} they
 * take effect when the caller commits.
 */
public interface TaskWriter {

  /**
   * Stores all of these tasks, or none when their batch was stored before or their key is taken.
   * The key is stored with them; of concurrent submissions with one key, one is stored. None is
   * stored either when a task that they depend on does not exist.
   *
   * <p>A task whose dedupe key a live task has is not stored. What depends on it depends on the
   * live task; see {@link Deduplication}.
   *
   * @throws IllegalArgumentException when the batch, its tasks and the tasks that they depend on
   *     are not all in one shard
   */
  SubmissionReceipt submit(Submission submission);

  /**
   * Writes each change whose guard still holds, with the record of the attempt that it ends and the
   * deliveries that it causes. The others change nothing. The changes of one shard are one
   * transaction. Of several changes of one task only the first is tried; the others are refused. A
   * task is not revived while a live task has its dedupe key; if that happens, the revives are
   * written apart from the other changes.
   *
   * <p>When it throws, for whatever reason, the changes of some shards may have been written and
   * those of others not; only the changes of one shard are all or none.
   *
   * @return one result per change, in the same order
   */
  List<WriteResult> apply(List<TaskChange> changes);
}
