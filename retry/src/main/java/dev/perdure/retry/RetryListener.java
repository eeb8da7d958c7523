// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import java.time.Duration;

/**
 * Hears what happens to calls. Called on the thread that made the attempt; what a listener throws
 * is logged and ignored, since it must not change how the call ends.
 *
 * <p>Every call ends in one {@link #onSuccess} or one {@link #onGiveUp}, before the caller has the
 * answer; only a future that the caller himself cancels or completes ends without.
 */
public interface RetryListener {

  /** An attempt failed and another one follows after the delay. */
  default void onRetry(RetryEvent event) {}

  /** An attempt failed and none follows; or one was to follow and the thread was interrupted. */
  default void onGiveUp(GiveUpEvent event) {}

  /** An attempt went well. */
  default void onSuccess(SuccessEvent event) {}

  /**
   * Another attempt follows.
   *
   * @param operation the name of the {@link Retry}
   * @param attempt the attempt that failed, counted from 0
   */
  record RetryEvent(String operation, long attempt, Failure failure, Duration delay) {}

  /**
   * No attempt follows.
   *
   * @param attempts how many there were
   */
  record GiveUpEvent(
      String operation, long attempts, Failure failure, StopReason reason, Duration elapsed) {}

  /**
   * It went well.
   *
   * @param attempts how many it took
   */
  record SuccessEvent(String operation, long attempts, Duration elapsed) {}
}
