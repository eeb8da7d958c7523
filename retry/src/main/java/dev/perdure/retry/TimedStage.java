// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The stage of an attempt with a limit on its time. When the time is over, or it is cancelled, the
 * work behind it is cancelled too; what that work still says is not heard.
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

  /** This stage, which may take as long as an attempt may. */
  static <T extends @Nullable Object> CompletionStage<T> of(
      RetryConfig retryConfig, CompletionStage<T> work) {
    Duration limit = retryConfig.limits().attemptTimeout();
    if (limit == null || CompletionStages.isDone(work)) {
      return work;
    }
    TimedStage<T> timed = new TimedStage<>(work, limit);
    timed.start(retryConfig.timeProvider());
    return timed;
  }

  private void start(TimeProvider timeProvider) {
    try {
      timer = timeProvider.schedule(this, limit);
    } catch (Throwable refusedByTimer) {
      CompletionStages.cancel(work);
      throw refusedByTimer;
    }
    work.whenComplete(this::ended);
  }

  /** The time is over. The work is cancelled first: two attempts should not run at a time. */
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
    // The answer first: a timer that cannot be called off must not keep it back.
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
    TimeProvider.Cancellable planned = timer;
    if (planned != null) {
      planned.cancel();
    }
  }
}
