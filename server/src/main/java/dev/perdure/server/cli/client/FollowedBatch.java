// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.client;

import java.time.Instant;

/** The tasks of a batch. */
record FollowedBatch(Client client, String batch) implements Followed {

  @Override
  public Census count(Instant otherwise) {
    return Census.ofBatch(client, batch, otherwise);
  }

  @Override
  public boolean wentWell(Census census) {
    return census.bad().isNone();
  }
}
