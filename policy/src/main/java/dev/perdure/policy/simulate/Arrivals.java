// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

/** A sequence of new requests. */
interface Arrivals {

  /** Returns when the next request arrives, in nanoseconds; {@code Long.MAX_VALUE} for never. */
  long time();

  /** Returns the client that sends it. */
  int client();

  /** Moves on to the request after it. */
  void advance();
}
