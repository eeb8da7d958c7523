// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;

/** The tasks of a batch. */
record WatchedBatch(PerdureClient client, String batch) implements WatchedTasks {

  @Override
  public StatusCounts count(Instant otherwise) {
    return StatusCounts.ofBatch(client, batch, otherwise);
  }

  @Override
  public boolean noneFailed(StatusCounts statusCounts) {
    return statusCounts.unsuccessful().isZero();
  }
}
