// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a case asks of a library, whatever the words of its API.
 *
 * @param initial the first delay
 * @param cap the longest delay; delays double up to it, so they are fixed when it is the first
 * @param jitter a share of the delay to either side; 0 for none
 * @param timeLimit for all attempts together
 * @param delayByFailure whether a {@link ServerBusyException} says how long to wait
 * @param throwingListener whether a listener of retries throws
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
