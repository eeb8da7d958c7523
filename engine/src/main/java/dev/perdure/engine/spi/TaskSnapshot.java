// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.Task;
import java.time.Instant;
import java.util.List;

/**
 * Tasks as they were read.
 *
 * @param now the database's clock at the read
 */
public record TaskSnapshot(List<Task> tasks, Instant now) {

  public TaskSnapshot {
    tasks = List.copyOf(tasks);
  }
}
