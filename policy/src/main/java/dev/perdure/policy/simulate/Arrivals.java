// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

/** The new requests, one after the other. */
interface Arrivals {

  /** When the next request arrives, in nanoseconds; {@code Long.MAX_VALUE} for never. */
  long time();

  /** Which client it comes from. */
  int client();

  /** Goes on to the request after it. */
  void advance();
}
