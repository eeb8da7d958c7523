// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import java.time.Duration;

/**
 * Receives events about calls. It runs on the thread that made the attempt. Exceptions from a
 * listener are logged and ignored, because a listener must not change the result of a call.
 *
 * <p>Every call ends with one {@link #onSuccess} or one {@link #onGiveUp}, before the caller has
 * the result. The only exception is a future that the caller itself cancels or completes.
 */
public interface RetryListener {

  /** An attempt failed, and another one follows after the delay. */
  default void onRetry(RetryEvent event) {}

  /**
   * An attempt failed and no other follows, or the thread was interrupted while waiting for the
   * next one.
   */
  default void onGiveUp(GiveUpEvent event) {}

  /** An attempt succeeded. */
  default void onSuccess(SuccessEvent event) {}

  /**
   * A failed attempt that is retried.
   *
   * @param operation the name of the {@link Retry}
   * @param attempt the number of the failed attempt, counted from 0
   */
  record RetryEvent(String operation, long attempt, Failure failure, Duration delay) {}

  /**
   * A call that failed.
   *
   * @param attempts the number of attempts made
   * @param whileWaiting true if the call ended between two attempts: {@link #onRetry} has already
   *     reported the last one
   */
  record GiveUpEvent(
      String operation,
      long attempts,
      Failure failure,
      StopReason reason,
      Duration elapsed,
      boolean whileWaiting) {}

  /**
   * A call that succeeded.
   *
   * @param attempts the number of attempts made
   */
  record SuccessEvent(String operation, long attempts, Duration elapsed) {}
}
