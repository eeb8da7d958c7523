// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.store;

import dev.perdure.engine.task.Counting;
import dev.perdure.engine.task.Definition;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Past;
import dev.perdure.engine.task.TaskState;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that are submitted together.
 *
 * @param batch the id of the batch; it and all its tasks are of one shard
 */
public record Submission(UUID batch, List<NewRow> tasks) {

  /** The most tasks of one submission. */
  public static final int MOST_TASKS = 1_000_000;

  public Submission {
    tasks = List.copyOf(tasks);
    if (tasks.isEmpty() || tasks.size() > MOST_TASKS) {
      throw new IllegalArgumentException(
          "a submission has 1 to " + MOST_TASKS + " tasks, not " + tasks.size());
    }
  }

  /**
   * One of the tasks.
   *
   * @param due {@link Due.Unchanged} means at once
   * @param past what happened to it before, or null: then it is {@link TaskState#PENDING}, and with
   *     a past {@link TaskState#RETRY_PENDING}
   * @param expectedCount how many items it has to do, if known
   */
  public record NewRow(
      UUID id, Definition definition, Due due, @Nullable Past past, @Nullable Long expectedCount) {

    /** A task that nobody has tried yet. */
    public NewRow(UUID id, Definition definition, Due due) {
      this(id, definition, due, null, null);
    }

    /** A task that somebody tried elsewhere. */
    public NewRow(UUID id, Definition definition, Due due, @Nullable Past past) {
      this(id, definition, due, past, null);
    }

    public TaskState state() {
      return past == null ? TaskState.PENDING : TaskState.RETRY_PENDING;
    }

    public long epoch() {
      return past == null ? 0 : past.epoch();
    }

    public Counting counting() {
      return past == null ? Counting.FRESH : past.counting();
    }
  }
}
