// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/**
 * Asks stages that somebody else made. Many are futures, and some of those refuse whatever a future
 * can be asked: a minimal stage does.
 */
final class CompletionStages {

  private CompletionStages() {}

  /** False when it is not done, or does not say. */
  static boolean isDone(CompletionStage<?> stage) {
    try {
      return stage instanceof Future<?> future && future.isDone();
    } catch (UnsupportedOperationException minimal) {
      return false;
    }
  }

  /** Cancels what can be cancelled. */
  static void cancel(CompletionStage<?> stage) {
    try {
      if (stage instanceof Future<?> future) {
        future.cancel(true);
      }
    } catch (UnsupportedOperationException minimal) {
      // It runs on, and nobody listens.
    } catch (RuntimeException e) {
      RetryLog.warn("an attempt could not be cancelled", e);
    }
  }
}
