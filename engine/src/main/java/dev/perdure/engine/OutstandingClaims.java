// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells whether a claim may still be on its way.
 *
 * <p>A lease that the database knows and this node does not may belong to a claim whose answer is
 * just arriving, or to one whose answer was lost. Only the second kind must be handed back. The
 * claimer counts a claim before it sends it, and again when everything the claim returned is known
 * here. A lease that was seen at some time is certainly lost when every claim that began before
 * that time has ended and the lease is still unknown.
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
