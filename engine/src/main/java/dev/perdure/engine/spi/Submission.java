// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.SubmissionReceipt.SubmissionStatus;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that are submitted together.
 *
 * @param batch the id of the batch; it and all its tasks are of one shard
 * @param key what makes it repeatable under another batch's id; null when nothing does
 */
public record Submission(UUID batch, List<NewTaskRow> tasks, @Nullable SubmissionKeyDigest key) {

  /** The most tasks of one submission. */
  public static final int MAX_TASKS = 1_000_000;

  /** How long a key stands for the batch that came first; then it is free again. */
  public static final Duration KEY_RETENTION = Duration.ofHours(24);

  public Submission {
    tasks = List.copyOf(tasks);
    if (tasks.isEmpty() || tasks.size() > MAX_TASKS) {
      throw new IllegalArgumentException(
          "a submission has 1 to " + MAX_TASKS + " tasks, not " + tasks.size());
    }
  }

  /** A submission that is repeated only with its own ids. */
  public Submission(UUID batch, List<NewTaskRow> tasks) {
    this(batch, tasks, null);
  }

  /** The receipt when these tasks are stored. */
  public SubmissionReceipt stored() {
    return new SubmissionReceipt(
        batch, tasks.stream().map(NewTaskRow::id).toList(), SubmissionStatus.STORED);
  }

  /**
   * The receipt when the key was taken before.
   *
   * @param first the batch that took the key
   * @param content the content digest of that batch
   * @param ids the tasks of that batch, in the order of their submission
   */
  public SubmissionReceipt keyTaken(UUID first, String content, List<UUID> ids) {
    if (first.equals(batch)) {
      return stored(); // The answer to the first try was lost.
    }
    return key != null && key.content().equals(content)
        ? new SubmissionReceipt(first, ids, SubmissionStatus.DUPLICATE)
        : new SubmissionReceipt(first, List.of(), SubmissionStatus.CONFLICT);
  }

  /** Throws when it belongs to a shard that a store of so many does not have, or to several. */
  public void requireOneShard(int shards) {
    int shard = Shards.of(batch);
    if (shard >= shards) {
      throw new IllegalArgumentException(
          "batch %s is of shard %d, the store has %d".formatted(batch, shard, shards));
    }
    for (NewTaskRow task : tasks) {
      if (Shards.of(task.id()) != shard) {
        throw new IllegalArgumentException(
            "task %s is of shard %d, its batch of %d"
                .formatted(task.id(), Shards.of(task.id()), shard));
      }
    }
    if (key != null && key.shard(shards) != shard) {
      throw new IllegalArgumentException(
          "the key is of shard %d, its batch of %d".formatted(key.shard(shards), shard));
    }
  }

  /**
   * What makes submissions with different ids the same one.
   *
   * @param id the same for the same submission, 64 hexadecimal digits
   * @param content a digest of what it is made from, which must be the same too
   */
  public record SubmissionKeyDigest(String id, String content) {

    private static final int SHARD_DIGITS = 8;
    private static final int RADIX = 16;

    /** The one shard in which the key is looked for, and so the one of its batch. */
    public int shard(int shards) {
      return Integer.remainderUnsigned(
          Integer.parseUnsignedInt(id, 0, SHARD_DIGITS, RADIX), shards);
    }
  }

  /**
   * One of the tasks.
   *
   * @param due {@link Due.Unchanged} means at once
   * @param importedHistory what happened to it before, or null: then it is {@link
   *     TaskState#PENDING}, and with a past {@link TaskState#RETRY_PENDING}
   * @param expectedCount how many items it has to do, if known
   */
  public record NewTaskRow(
      UUID id,
      TaskDefinition definition,
      Due due,
      @Nullable ImportedHistory importedHistory,
      @Nullable Long expectedCount) {

    /** A task that nobody has tried yet. */
    public NewTaskRow(UUID id, TaskDefinition definition, Due due) {
      this(id, definition, due, null, null);
    }

    /** A task that somebody tried elsewhere. */
    public NewTaskRow(UUID id, TaskDefinition definition, Due due, @Nullable ImportedHistory past) {
      this(id, definition, due, past, null);
    }

    public TaskState state() {
      return importedHistory == null ? TaskState.PENDING : TaskState.RETRY_PENDING;
    }

    public long epoch() {
      return importedHistory == null ? 0 : importedHistory.epoch();
    }

    public RetryCounters retryCounters() {
      return importedHistory == null ? RetryCounters.INITIAL : importedHistory.retryCounters();
    }
  }
}
