// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.store;

import dev.perdure.engine.task.Task;
import java.time.Instant;
import java.util.List;

/**
 * Tasks as they were read.
 *
 * @param now the database's clock at the reading
 */
public record Reading(List<Task> tasks, Instant now) {

  public Reading {
    tasks = List.copyOf(tasks);
  }
}
