// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * An asynchronous call: the future that the caller holds, and the attempts behind it.
 *
 * It moves by hand-over: an attempt's stage completes, the course decides, a timer waits, the
 * executor starts the next attempt. Only one of these is under way at a time, so the fields need no
 * lock; each hand-over is a happens-before edge. Two things come from the side: the caller may
 * complete or cancel this future, and an attempt may be late. The first is seen by isDone() before
 * anything is started; the second by the number of the attempt.
 *
 * Being the future itself, and nothing else, keeps a waiting retry small: 100,000 may wait.
 */
final class AsyncCall<T extends @Nullable Object> extends CompletableFuture<T> implements Runnable {

  private final Settings settings;
  private final Function<? super RetryContext, ? extends CompletionStage<T>> call;
  private final Course course;
  private volatile @Nullable Object underWay;

  AsyncCall(Settings settings, Function<? super RetryContext, ? extends CompletionStage<T>> call) {
    this.settings = settings;
    this.call = call;
    this.course = new Course(settings, settings.waits().nanoTime());
  }

  CompletableFuture<T> start() {
    RetryBudget budget = settings.limits().budget();
    if (budget != null) {
      budget.deposit();
    }
    run();
    return this;
  }

  /** One attempt. */
  @Override
  public void run() {
    if (isDone()) {
      return;
    }
    CompletionStage<T> stage;
    try {
      stage = AsyncAttempt.start(settings, course, call);
    } catch (Throwable thrown) {
      failed(thrown);
      return;
    }
    underWay = stage;
    stage.whenComplete(this::ended);
  }

  private void ended(T result, @Nullable Throwable thrown) {
    underWay = null;
    if (isDone()) {
      return;
    }
    if (thrown != null) {
      failed(unwrapped(thrown));
    } else {
      answered(result);
    }
  }

  private void answered(T result) {
    Failure fault = settings.faultOf(result);
    if (fault == null) {
      course.tellSuccess();
      complete(result);
    } else if (course.afterRefusal(fault) instanceof Course.Next.Wait next) {
      plan(next.delay());
    } else {
      complete(result);
    }
  }

  private void failed(Throwable thrown) {
    if (Course.endsAtOnce(thrown)) {
      completeExceptionally(thrown);
      return;
    }
    switch (course.afterFailure(thrown)) {
      case Course.Next.Stop stop -> completeExceptionally(course.told(thrown, stop.reason()));
      case Course.Next.Wait next -> plan(next.delay());
    }
  }

  /** Never on this stack: attempts that fail at once would pile up on it. */
  private void plan(Duration delay) {
    try {
      if (delay.isZero()) {
        settings.executor().execute(this);
      } else {
        underWay = settings.waits().schedule(this::due, delay);
        if (isDone()) {
          callOff();
        }
      }
    } catch (RuntimeException refusedByTimerOrExecutor) {
      completeExceptionally(refusedByTimerOrExecutor);
    }
  }

  /** The timer's thread only hands on: user code must not hold it up. */
  private void due() {
    try {
      settings.executor().execute(this);
    } catch (RuntimeException refusedByExecutor) {
      completeExceptionally(refusedByExecutor);
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean canceled = super.cancel(mayInterruptIfRunning);
    if (canceled) {
      callOff();
    }
    return canceled;
  }

  private void callOff() {
    Object stopping = underWay;
    if (stopping instanceof Waits.Cancellable timer) {
      timer.cancel();
    } else if (stopping instanceof CompletableFuture<?> stage) {
      stage.cancel(true);
    }
  }

  static Throwable unwrapped(Throwable thrown) {
    Throwable cause = thrown.getCause();
    boolean wrapper = thrown instanceof CompletionException || thrown instanceof ExecutionException;
    return wrapper && cause != null ? cause : thrown;
  }
}
