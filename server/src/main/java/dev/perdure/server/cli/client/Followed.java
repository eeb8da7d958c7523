// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.client;

import java.time.Instant;

/** The tasks that somebody follows. */
public sealed interface Followed permits FollowedBatch, FollowedLive {

  /** The tasks of this batch. */
  static Followed batch(Client client, String batch) {
    return new FollowedBatch(client, batch);
  }

  /**
   * All tasks that are live now or later.
   *
   * @param otherwise the time when the server does not say it
   */
  static Followed all(Client client, Instant otherwise) {
    return FollowedLive.from(client, otherwise);
  }

  /**
   * How many are where now.
   *
   * @param otherwise the time when the server does not say it
   */
  Census count(Instant otherwise);

  /** Whether none ended badly. */
  boolean wentWell(Census census);
}
