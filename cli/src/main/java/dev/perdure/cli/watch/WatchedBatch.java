// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.watch;

import dev.perdure.client.PerdureClient;
import java.time.Instant;

/** The tasks of one batch. */
record WatchedBatch(PerdureClient client, String batch) implements WatchedTasks {

  @Override
  public StatusCounts count(Instant clock) {
    return StatusCounts.ofBatch(client, batch, clock);
  }

  @Override
  public boolean noneFailed(StatusCounts counts) {
    return counts.unsuccessful().isZero();
  }
}
