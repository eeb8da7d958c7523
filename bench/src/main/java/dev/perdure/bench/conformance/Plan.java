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
 * @param delayByFailure whether a {@link ServerBusy} says how long to wait
 * @param throwingListener whether a listener of retries throws
 */
record Plan(
    int maxRetries,
    Duration initial,
    Duration cap,
    double jitter,
    @Nullable Duration timeLimit,
    boolean delayByFailure,
    boolean throwingListener) {

  static Plan fixed(Duration delay) {
    return growing(delay, delay);
  }

  static Plan growing(Duration initial, Duration cap) {
    return new Plan(3, initial, cap, 0, null, false, false);
  }

  boolean isFixed() {
    return initial.equals(cap);
  }

  Plan withMaxRetries(int value) {
    return new Plan(value, initial, cap, jitter, timeLimit, delayByFailure, throwingListener);
  }

  Plan withJitter(double value) {
    return new Plan(maxRetries, initial, cap, value, timeLimit, delayByFailure, throwingListener);
  }

  Plan withTimeLimit(Duration value) {
    return new Plan(maxRetries, initial, cap, jitter, value, delayByFailure, throwingListener);
  }

  Plan withDelayByFailure() {
    return new Plan(maxRetries, initial, cap, jitter, timeLimit, true, throwingListener);
  }

  Plan withThrowingListener() {
    return new Plan(maxRetries, initial, cap, jitter, timeLimit, delayByFailure, true);
  }
}
