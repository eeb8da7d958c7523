// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.watch;

import dev.perdure.client.PerdureClient;
import java.time.Instant;
import java.util.UUID;

/** The tasks that {@code perdure watch} follows. */
public sealed interface WatchedTasks permits WatchedBatch, WatchedLiveTasks {

  /**
   * The tasks of a batch.
   *
   * @param readsGraph whether to read their dependencies too
   */
  static WatchedTasks batch(PerdureClient client, UUID batch, boolean readsGraph) {
    return new WatchedBatch(client, batch, readsGraph);
  }

  /**
   * All tasks that are live now or later.
   *
   * @param clock the time to use when the server does not send its own
   */
  static WatchedTasks live(PerdureClient client, Instant clock) {
    return WatchedLiveTasks.from(client, clock);
  }

  /**
   * Counts the tasks by status.
   *
   * @param clock the time to use when the server does not send its own
   */
  StatusCounts count(Instant clock);

  /** Whether every task that has ended succeeded. */
  boolean noneFailed(StatusCounts counts);
}
