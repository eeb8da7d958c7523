// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that the retry decision depends on.
 *
 * @param attempt the number of the current or next attempt, from 0
 * @param losses how often a worker was lost within this attempt
 * @param retryBase the attempt that the policy counts from; a revive moves it
 * @param previousDelay the delay before this attempt, for decorrelated jitter
 */
public record RetryCounters(
    long attempt, int losses, long retryBase, @Nullable Duration previousDelay) {

  public static final RetryCounters INITIAL = new RetryCounters(0, 0, 0, null);

  public RetryCounters {
    if (attempt < 0 || losses < 0 || retryBase < 0 || retryBase > attempt) {
      throw new IllegalArgumentException(
          "impossible: attempt " + attempt + ", losses " + losses + ", retry base " + retryBase);
    }
  }

  /** The number of the attempt as the policy counts it. */
  public long policyAttempt() {
    return attempt - retryBase;
  }

  public RetryCounters afterRetry(Duration delay) {
    return new RetryCounters(attempt + 1, 0, retryBase, delay);
  }

  public RetryCounters afterLoss() {
    return new RetryCounters(attempt, losses + 1, retryBase, previousDelay);
  }

  public RetryCounters afterRevive() {
    return new RetryCounters(attempt + 1, 0, attempt + 1, null);
  }
}
