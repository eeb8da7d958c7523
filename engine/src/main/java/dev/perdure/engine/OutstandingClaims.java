// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the claims that were sent and the claims whose leases are registered.
 *
 * <p>A lease that the database knows and this node does not may belong to a claim whose answer is
 * just arriving, or to one whose answer was lost. Only the second kind must be handed back. A lease
 * that is unknown here is lost if every claim that was sent before the lease was read has been
 * registered.
 */
final class OutstandingClaims {

  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();

  void begin() {
    begun.incrementAndGet();
  }

  void end() {
    ended.incrementAndGet();
  }

  /** The number of claims that have begun. One claimer runs them one after another. */
  long begun() {
    return begun.get();
  }

  /** True when the claims up to this number have ended. */
  boolean allEndedUpTo(long number) {
    return ended.get() >= number;
  }
}
