// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.SubmissionReceipt.SubmissionStatus;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that are stored together, all or none.
 *
 * @param batch the id of the batch; all its tasks are in the same shard
 * @param tasks in ascending order of their ids, parents before their children
 * @param dependencies what its tasks wait for: other tasks of the submission, or stored ones
 * @param key makes the submission repeatable under other ids; null when it is not
 */
public record Submission(
    UUID batch,
    BatchDefinition definition,
    List<NewTaskRow> tasks,
    List<Dependency> dependencies,
    @Nullable SubmissionKeyDigest key) {

  /** Maximum number of tasks in one submission. */
  public static final int MAX_TASKS = 1_000_000;

  /** How long a key belongs to the batch that used it first. */
  public static final Duration KEY_RETENTION = Duration.ofHours(24);

  public Submission {
    tasks = List.copyOf(tasks);
    dependencies = List.copyOf(dependencies);
    if (tasks.isEmpty() || tasks.size() > MAX_TASKS) {
      throw new IllegalArgumentException(
          "tasks: must be 1 to " + MAX_TASKS + ", not " + tasks.size());
    }
  }

  /** A submission without a key: only the same ids repeat it. */
  public Submission(UUID batch, List<NewTaskRow> tasks) {
    this(batch, tasks, null);
  }

  /** Tasks that do not depend on others. */
  public Submission(UUID batch, List<NewTaskRow> tasks, @Nullable SubmissionKeyDigest key) {
    this(batch, BatchDefinition.NONE, tasks, List.of(), key);
  }

  /** The receipt when these tasks are stored. */
  public SubmissionReceipt stored() {
    return new SubmissionReceipt(
        batch, tasks.stream().map(NewTaskRow::id).toList(), SubmissionStatus.STORED);
  }

  /**
   * The receipt when the key is already in use.
   *
   * @param first the batch that used the key first
   * @param content the content digest of that batch
   * @param deduplicated the tasks that it was answered with, if some of them existed already
   * @param ids reads the tasks of that batch; called for a duplicate only
   */
  public <X extends Exception> SubmissionReceipt keyInUse(
      UUID first, String content, @Nullable String deduplicated, BatchReader<X> ids) throws X {
    if (first.equals(batch)) {
      return storedBefore(deduplicated); // The answer to the first try was lost.
    }
    if (key == null || !key.content().equals(content)) {
      return new SubmissionReceipt(first, List.of(), SubmissionStatus.CONFLICT);
    }
    return deduplicated == null
        ? new SubmissionReceipt(first, ids.idsOf(first), SubmissionStatus.DUPLICATE)
        : Deduplication.receipt(first, deduplicated, SubmissionStatus.DUPLICATE);
  }

  /**
   * The receipt when this batch was stored by an earlier try.
   *
   * @param deduplicated the tasks of the answer, if some of them existed already
   */
  public SubmissionReceipt storedBefore(@Nullable String deduplicated) {
    return deduplicated == null
        ? stored()
        : Deduplication.receipt(batch, deduplicated, SubmissionStatus.STORED);
  }

  /** The key to keep the receipt under: a lost answer is repeated, with or without a key. */
  public SubmissionKeyDigest receiptKey() {
    return key == null ? new SubmissionKeyDigest(batch.toString(), "") : key;
  }

  /** Returns whether duplicates of live tasks must be left out. */
  public boolean hasDedupeKeys() {
    return tasks.stream().anyMatch(task -> task.definition().dedupeKey() != null);
  }

  /** Reads the ids of a batch in ascending order. */
  @FunctionalInterface
  public interface BatchReader<X extends Exception> {
    List<UUID> idsOf(UUID batch) throws X;
  }

  /** The receipt when stored tasks that the tasks depend on do not exist. */
  public SubmissionReceipt unknownParents(Collection<UUID> missing) {
    return new SubmissionReceipt(batch, List.copyOf(missing), SubmissionStatus.UNKNOWN_PARENT);
  }

  /** The parents that are not part of the submission, in the order in which rows are locked. */
  public List<UUID> storedParents() {
    if (dependencies.isEmpty()) {
      return List.of();
    }
    Set<UUID> own = new HashSet<>();
    tasks.forEach(task -> own.add(task.id()));
    return dependencies.stream()
        .map(Dependency::parent)
        .filter(parent -> !own.contains(parent))
        .distinct()
        .sorted(IdOrder.BYTEWISE)
        .toList();
  }

  /**
   * Throws when the batch, its tasks and the tasks they depend on are not all in one shard that the
   * store has, or the ids of the tasks do not ascend.
   */
  public void requireValid(int shards) {
    int shard = Shards.of(batch);
    if (shard >= shards) {
      throw new IllegalArgumentException(
          "batch %s is in shard %d, but the store has %d shards".formatted(batch, shard, shards));
    }
    NewTaskRow previous = null;
    for (NewTaskRow task : tasks) {
      if (Shards.of(task.id()) != shard) {
        throw new IllegalArgumentException(
            "task %s is in shard %d, but its batch is in shard %d"
                .formatted(task.id(), Shards.of(task.id()), shard));
      }
      if (previous != null && IdOrder.BYTEWISE.compare(previous.id(), task.id()) >= 0) {
        throw new IllegalArgumentException(
            "tasks: ids must ascend, not %s before %s".formatted(previous.id(), task.id()));
      }
      previous = task;
    }
    for (Dependency dependency : dependencies) {
      if (Shards.of(dependency.parent()) != shard) {
        throw new IllegalArgumentException(
            "task %s is in shard %d, but the task that depends on it is in shard %d"
                .formatted(dependency.parent(), Shards.of(dependency.parent()), shard));
      }
    }
  }

  /**
   * Identifies repeated submissions.
   *
   * @param id a digest of the key, 64 hexadecimal digits
   * @param content a digest of the submission's content, which a repetition must match
   */
  public record SubmissionKeyDigest(String id, String content) {

    private static final int SHARD_DIGITS = 8;
    private static final int RADIX = 16;

    /** The shard for the batch and its key, unless something else determines it. */
    public int shard(int shards) {
      return Integer.remainderUnsigned(
          Integer.parseUnsignedInt(id, 0, SHARD_DIGITS, RADIX), shards);
    }
  }

  /**
   * One of the tasks.
   *
   * @param due {@link DueTime.Unchanged} means at once
   * @param importedHistory earlier attempts; without them the task starts as {@link
   *     TaskState#PENDING}, with them as {@link TaskState#RETRY_PENDING}
   * @param expectedCount how many items the task has; null when unknown
   * @param cancelAtDeadEnd true to cancel the task when all tasks that depend on it have ended
   * @param replacesDuplicate true if a live task with the same dedupe key takes its payload, due
   *     time and policy, unless it has been claimed
   */
  public record NewTaskRow(
      UUID id,
      TaskDefinition definition,
      DueTime due,
      @Nullable ImportedHistory importedHistory,
      @Nullable Long expectedCount,
      boolean cancelAtDeadEnd,
      boolean replacesDuplicate) {

    /** A task that leaves a duplicate as it is. */
    public NewTaskRow(
        UUID id,
        TaskDefinition definition,
        DueTime due,
        @Nullable ImportedHistory importedHistory,
        @Nullable Long expectedCount,
        boolean cancelAtDeadEnd) {
      this(id, definition, due, importedHistory, expectedCount, cancelAtDeadEnd, false);
    }

    /** A task that is not canceled when its children have ended. */
    public NewTaskRow(
        UUID id,
        TaskDefinition definition,
        DueTime due,
        @Nullable ImportedHistory importedHistory,
        @Nullable Long expectedCount) {
      this(id, definition, due, importedHistory, expectedCount, false);
    }

    /** A task without earlier attempts. */
    public NewTaskRow(UUID id, TaskDefinition definition, DueTime due) {
      this(id, definition, due, null, null);
    }

    /** A task with earlier attempts. */
    public NewTaskRow(
        UUID id,
        TaskDefinition definition,
        DueTime due,
        @Nullable ImportedHistory importedHistory) {
      this(id, definition, due, importedHistory, null);
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
