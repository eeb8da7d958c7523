// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.time.Duration;

/**
 * A number of slots, and retry times for the calls that find none free. Retry times are spaced at
 * the rate at which slots are expected to become free, estimated from how long slots were held
 * lately and from the time since a slot last changed. All times come from one clock that never goes
 * back. Not safe to share.
 *
 * <p>A retry time does not reserve a slot. A call that comes back and finds none gets another retry
 * time; so an optimistic estimate costs one more try, but leaves no slot idle.
 */
final class ConcurrencyLimit {

  /** The shortest wait: with a shorter one, most retries would find no slot. */
  static final Duration MIN_RETRY_IN = Duration.ofSeconds(1);

  /** The longest wait, so that calls go out soon after their callee recovers. */
  static final Duration MAX_RETRY_IN = Duration.ofMinutes(5);

  private static final Duration INITIAL_AVERAGE = Duration.ofMillis(100);
  private static final Duration MAX_HOLD_TIME = Duration.ofMinutes(1);
  private static final Duration MIN_STEP = Duration.ofMillis(1);

  private final int slots;
  private int inUse;
  private Duration averageHoldTime = INITIAL_AVERAGE;
  private Duration lastChange = Duration.ZERO;
  private Duration nextRetryAt = Duration.ZERO;

  ConcurrencyLimit(int slots) {
    this.slots = slots;
  }

  boolean isFull() {
    return inUse >= slots;
  }

  boolean isEmpty() {
    return inUse == 0;
  }

  /** True when no slot is in use and every retry time has passed. */
  boolean isIdle(Duration now) {
    return isEmpty() && nextRetryAt.compareTo(now) <= 0;
  }

  void acquire(Duration now) {
    inUse++;
    lastChange = now;
  }

  /** Releases a slot that was acquired at {@code since}. */
  void release(Duration since, Duration now) {
    inUse--;
    lastChange = now;
    averageHoldTime = averageHoldTime.multipliedBy(3).plus(now.minus(since)).dividedBy(4);
  }

  /** How long a call that found no slot waits. */
  Duration nextRetryIn(Duration now) {
    Duration retryAt = later(nextRetryAt, now.plus(MIN_RETRY_IN));
    if (retryAt.compareTo(now.plus(MAX_RETRY_IN)) > 0) {
      // All retry times are taken. The calls beyond share the later half of them.
      retryAt = now.plus(MAX_RETRY_IN.dividedBy(2));
    }
    nextRetryAt = retryAt.plus(step(now));
    return retryAt.minus(now);
  }

  private Duration step(Duration now) {
    Duration holdTime = later(averageHoldTime, now.minus(lastChange));
    Duration bounded = holdTime.compareTo(MAX_HOLD_TIME) < 0 ? holdTime : MAX_HOLD_TIME;
    return later(bounded.dividedBy(slots), MIN_STEP);
  }

  private static Duration later(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
