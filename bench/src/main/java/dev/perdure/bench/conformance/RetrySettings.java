// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The retry settings of a case, independent of the API of a library.
 *
 * @param initial the first delay
 * @param cap the longest delay. Delays double up to it, so they are fixed if it equals the first
 *     one
 * @param jitter spread to both sides, as a fraction of the delay; 0 for none
 * @param timeLimit limit on the total time of all attempts
 * @param delayByFailure whether a {@link ServerBusyException} sets the delay
 * @param throwingListener whether to add a retry listener that throws
 */
record RetrySettings(
    int maxRetries,
    Duration initial,
    Duration cap,
    double jitter,
    @Nullable Duration timeLimit,
    boolean delayByFailure,
    boolean throwingListener) {

  static RetrySettings fixed(Duration delay) {
    return growing(delay, delay);
  }

  static RetrySettings growing(Duration initial, Duration cap) {
    return new RetrySettings(3, initial, cap, 0, null, false, false);
  }

  boolean isFixed() {
    return initial.equals(cap);
  }

  RetrySettings withMaxRetries(int value) {
    return new RetrySettings(
        value, initial, cap, jitter, timeLimit, delayByFailure, throwingListener);
  }

  RetrySettings withJitter(double value) {
    return new RetrySettings(
        maxRetries, initial, cap, value, timeLimit, delayByFailure, throwingListener);
  }

  RetrySettings withTimeLimit(Duration value) {
    return new RetrySettings(
        maxRetries, initial, cap, jitter, value, delayByFailure, throwingListener);
  }

  RetrySettings withDelayByFailure() {
    return new RetrySettings(maxRetries, initial, cap, jitter, timeLimit, true, throwingListener);
  }

  RetrySettings withThrowingListener() {
    return new RetrySettings(maxRetries, initial, cap, jitter, timeLimit, delayByFailure, true);
  }
}
