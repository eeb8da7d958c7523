// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/**
 * Helpers for stages of unknown origin. Many are futures, but some throw
 * UnsupportedOperationException, for example minimal stages.
 */
final class CompletionStages {

  private CompletionStages() {}

  /** Returns false if the stage is not done or cannot tell. */
  static boolean isDone(CompletionStage<?> stage) {
    try {
      return stage instanceof Future<?> future && future.isDone();
    } catch (UnsupportedOperationException minimal) {
      return false;
    }
  }

  /** Cancels the stage if possible. */
  static void cancel(CompletionStage<?> stage) {
    try {
      if (stage instanceof Future<?> future) {
        future.cancel(true);
      }
    } catch (UnsupportedOperationException minimal) {
      // The work continues, and its result is ignored.
    } catch (RuntimeException e) {
      RetryLog.warn("An attempt could not be canceled", e);
    }
  }
}
