// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The stage of an attempt with a timeout. When it times out or is canceled, the underlying work is
 * canceled too, and its result is ignored.
 */
final class TimedStage<T extends @Nullable Object> extends CompletableFuture<T>
    implements Runnable {

  private final CompletionStage<T> work;
  private final Duration limit;
  private volatile boolean expired;
  private volatile TimeProvider.@Nullable Cancellable timer;

  private TimedStage(CompletionStage<T> work, Duration limit) {
    this.work = work;
    this.limit = limit;
  }

  /** Returns the stage with the attempt timeout, if there is one. */
  static <T extends @Nullable Object> CompletionStage<T> of(
      RetryConfig config, CompletionStage<T> work) {
    Duration limit = config.attemptTimeout();
    if (limit == null || CompletionStages.isDone(work)) {
      return work;
    }
    TimedStage<T> timed = new TimedStage<>(work, limit);
    timed.start(config.timeProvider());
    return timed;
  }

  private void start(TimeProvider timeProvider) {
    try {
      timer = timeProvider.schedule(this, limit);
    } catch (Throwable rejected) {
      CompletionStages.cancel(work);
      throw rejected;
    }
    work.whenComplete(this::ended);
  }

  /**
   * Called by the timer. Cancels the work first, so that two attempts do not run at the same time.
   */
  @Override
  public void run() {
    expired = true;
    CompletionStages.cancel(work);
    completeExceptionally(new AttemptTimeoutException(limit, null));
  }

  private void ended(T result, @Nullable Throwable thrown) {
    if (expired) {
      return;
    }
    if (thrown == null) {
      complete(result);
    } else {
      completeExceptionally(thrown);
    }
    // Complete first: a timer that cannot be canceled must not delay the result.
    cancelTimer();
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean canceled = super.cancel(mayInterruptIfRunning);
    CompletionStages.cancel(work);
    cancelTimer();
    return canceled;
  }

  private void cancelTimer() {
    TimeProvider.Cancellable current = timer;
    if (current != null) {
      current.cancel();
    }
  }
}
