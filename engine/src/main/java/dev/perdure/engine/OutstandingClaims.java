// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells whether a claim could still be on its way.
 *
 * <p>A lease that the database knows and this node does not may belong to a claim whose answer is
 * just arriving, or to one whose answer was lost. Only the second must be handed back. A ticket is
 * drawn before a claim is sent and returned when all it brought is known here; a lease seen at some
 * instant is lost for certain when every claim drawn before that instant has been returned and the
 * lease is still unknown.
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

  /** Everything drawn up to now. One claimer draws them one after the other. */
  long begun() {
    return begun.get();
  }

  /** True when all claims drawn up to that number are known here. */
  boolean allEndedUpTo(long number) {
    return ended.get() >= number;
  }
}
