// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.store;

import dev.perdure.engine.task.Definition;
import dev.perdure.engine.task.Due;
import java.util.List;
import java.util.UUID;

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

  /** One of the tasks; {@link Due.Unchanged} means at once. */
  public record NewRow(UUID id, Definition definition, Due due) {}
}
