// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.time.Duration;

/**
 * A number of places, and turns for those who find none: when to come again, one after the other,
 * as fast as places are expected to come free. That is told from how long the last stays took, and
 * from how long nobody came or went. Times are those of one clock that never goes back. Not safe to
 * share.
 *
 * <p>A turn is no promise. Who comes and finds no place is given another one; so a guess that was
 * too hopeful costs a turn more, and lets no place stand empty.
 */
final class ConcurrencyLimit {

  /** No turn is sooner: for every call there would be many who come in vain. */
  static final Duration MIN_RETRY_IN = Duration.ofSeconds(1);

  /** No turn is later, so that all are back soon after their callee is. */
  static final Duration MAX_RETRY_IN = Duration.ofMinutes(5);

  private static final Duration INITIAL_AVERAGE = Duration.ofMillis(100);
  private static final Duration MAX_HOLD_TIME = Duration.ofMinutes(1);
  private static final Duration MIN_STEP = Duration.ofMillis(1);

  private final int slots;
  private int inUse;
  private Duration averageHoldTime = INITIAL_AVERAGE;
  private Duration lastChange = Duration.ZERO;
  private Duration nextRetryAt = Duration.ZERO;

  ConcurrencyLimit(int places) {
    this.slots = places;
  }

  boolean isFull() {
    return inUse >= slots;
  }

  boolean isEmpty() {
    return inUse == 0;
  }

  /** True when nobody is there and everybody's turn has come. */
  boolean isIdle(Duration now) {
    return isEmpty() && nextRetryAt.compareTo(now) <= 0;
  }

  void acquire(Duration now) {
    inUse++;
    lastChange = now;
  }

  /** Whoever leaves has been there since then. */
  void release(Duration since, Duration now) {
    inUse--;
    lastChange = now;
    averageHoldTime = averageHoldTime.multipliedBy(3).plus(now.minus(since)).dividedBy(4);
  }

  /** How long to stay away, for one who found no place. */
  Duration nextRetryIn(Duration now) {
    Duration turn = later(nextRetryAt, now.plus(MIN_RETRY_IN));
    if (turn.compareTo(now.plus(MAX_RETRY_IN)) > 0) {
      // More than have a turn of their own: they share some, and are spread all the same.
      turn = now.plus(MAX_RETRY_IN.dividedBy(2));
    }
    nextRetryAt = turn.plus(step(now));
    return turn.minus(now);
  }

  private Duration step(Duration now) {
    Duration stay = later(averageHoldTime, now.minus(lastChange));
    Duration bounded = stay.compareTo(MAX_HOLD_TIME) < 0 ? stay : MAX_HOLD_TIME;
    return later(bounded.dividedBy(slots), MIN_STEP);
  }

  private static Duration later(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
