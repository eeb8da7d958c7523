// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;

/** The tasks that somebody follows. */
public sealed interface WatchedTasks permits WatchedBatch, WatchedLiveTasks {

  /** The tasks of this batch. */
  static WatchedTasks batch(PerdureClient perdureClient, String batch) {
    return new WatchedBatch(perdureClient, batch);
  }

  /**
   * All tasks that are live now or later.
   *
   * @param otherwise the time when the server does not say it
   */
  static WatchedTasks live(PerdureClient perdureClient, Instant otherwise) {
    return WatchedLiveTasks.from(perdureClient, otherwise);
  }

  /**
   * How many are where now.
   *
   * @param otherwise the time when the server does not say it
   */
  StatusCounts count(Instant otherwise);

  /** Whether none ended badly. */
  boolean noneFailed(StatusCounts statusCounts);
}
