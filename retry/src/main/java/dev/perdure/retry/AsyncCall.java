// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.util.Objects.requireNonNull;

import dev.perdure.policy.Failure;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * An asynchronous call: the future that the caller holds, and the attempts behind it.
 *
 * A call moves on in turns: an attempt's stage completes, RetryState decides, a timer waits, and the
 * executor starts the next attempt. Only one of these is active at a time, so RetryState needs no
 * lock; each step happens-before the next. The field `pending` holds the active one:
 *
 *   null             nothing yet: the executor has been asked to run the next attempt
 *   a stage          an attempt; its end is handled by the code that removes it by compare-and-set
 *   a NextStep.Wait  a timer is being created; it may fire before its handle is known
 *   a Cancellable    that timer
 *
 * The caller may cancel or complete this future at any time. It first completes the future and then
 * cancels what is pending; the call first sets what is pending and then checks for completion. So at
 * least one of the two sees the other.
 *
 * Everything that can throw is caught. An exception that escapes into a timer, an executor or a
 * stage would be lost, and the caller would wait forever.
 *
 * One object is future, timer task and executor task at once, which keeps a waiting retry small:
 * 100,000 of them may wait.
 */
final class AsyncCall<T extends @Nullable Object> extends CompletableFuture<T> implements Runnable {

  private static final VarHandle PENDING = pendingHandle();

  private final Function<? super RetryContext, ? extends CompletionStage<T>> call;
  private final RetryState state;
  private volatile @Nullable Object pending;

  AsyncCall(RetryConfig config, Function<? super RetryContext, ? extends CompletionStage<T>> call) {
    this(new RetryState(config), call);
  }

  AsyncCall(RetryState state, Function<? super RetryContext, ? extends CompletionStage<T>> call) {
    this.call = call;
    this.state = state;
  }

  private static VarHandle pendingHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(AsyncCall.class, "pending", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  CompletableFuture<T> start() {
    state.callStarted();
    attempt();
    return this;
  }

  /**
   * Runs on the timer's thread first, which only passes the call to the executor: user code must
   * not block the timer.
   */
  @Override
  public void run() {
    if (isDone()) {
      return;
    }
    if (pending == null) {
      attempt();
    } else {
      pending = null;
      enqueue();
    }
  }

  private void attempt() {
    state.beginAttempt();
    CircuitPermit permit = CircuitPermit.NONE;
    try {
      permit = CircuitPermit.acquire(state.config());
      CompletionStage<T> work =
          requireNonNull(call.apply(state), "the call returned null instead of a CompletionStage");
      awaitStage(TimedStage.of(state.config(), work), permit);
    } catch (Throwable thrown) {
      if (thrown instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      permit.failed(thrown);
      attemptFailed(ExceptionUnwrapper.unwrap(thrown));
    }
  }

  private void awaitStage(CompletionStage<T> stage, CircuitPermit permit) {
    pending = stage;
    // Not whenComplete: it creates another stage, which is not used, and wraps every failure in a
    // CompletionException with a stack trace for it.
    stage.handle(
        (result, thrown) -> {
          // A badly written stage may complete twice.
          if (PENDING.compareAndSet(this, stage, null)) {
            stageCompleted(permit, result, thrown);
          }
          return true;
        });
    if (isDone()) {
      cancelPending();
    }
  }

  private void stageCompleted(CircuitPermit permit, T result, @Nullable Throwable thrown) {
    if (thrown == null) {
      resultReceived(permit, result);
      return;
    }
    Throwable failure = ExceptionUnwrapper.unwrap(thrown);
    permit.failed(failure);
    attemptFailed(failure);
  }

  private void resultReceived(CircuitPermit permit, T result) {
    Failure failure;
    try {
      failure = state.config().failureOf(result);
    } catch (Throwable error) {
      permit.succeeded();
      RetryState.NextStep.Stop stop =
          state.stopOnInternalError(Failure.exception(error), null, error);
      completeExceptionally(state.withSummary(error, stop.reason()));
      return;
    }
    if (failure != null) {
      permit.resultRejected(failure);
    } else {
      permit.succeeded();
    }
    if (isDone()) {
      return;
    }
    if (failure == null) {
      state.notifySuccess();
      complete(result);
      return;
    }
    switch (state.afterRejectedResult(failure)) {
      case RetryState.NextStep.Stop stop -> complete(result);
      case RetryState.NextStep.Wait next -> scheduleRetry(next);
      case RetryState.NextStep.HandOver over -> handOver(over, null);
    }
  }

  private void attemptFailed(Throwable thrown) {
    if (isDone()) {
      return;
    }
    RetryState.NextStep.Stop end = state.stopIfCanceled(thrown, false);
    switch (end != null ? end : state.afterFailure(thrown)) {
      case RetryState.NextStep.Stop stop ->
          completeExceptionally(state.withSummary(thrown, stop.reason()));
      case RetryState.NextStep.Wait next -> scheduleRetry(next);
      case RetryState.NextStep.HandOver over -> handOver(over, thrown);
    }
  }

  /**
   * Hands over on the executor, because it may block; or on this thread, if the executor rejects
   * it.
   */
  private void handOver(RetryState.NextStep.HandOver over, @Nullable Throwable thrown) {
    try {
      state.config().executor().execute(() -> executeHandOver(over, thrown));
    } catch (Throwable rejected) {
      executeHandOver(over, thrown);
    }
  }

  private void executeHandOver(RetryState.NextStep.HandOver over, @Nullable Throwable thrown) {
    if (!isDone()) {
      completeExceptionally(over.execute(thrown));
    }
  }

  /** Never starts the next attempt on this stack: attempts that fail at once would overflow it. */
  private void scheduleRetry(RetryState.NextStep.Wait next) {
    if (next.delay().isZero()) {
      enqueue();
      return;
    }
    pending = next;
    try {
      TimeProvider.Cancellable timer = state.config().timeProvider().schedule(this, next.delay());
      if (PENDING.compareAndSet(this, next, timer) && isDone()) {
        timer.cancel();
      }
    } catch (Throwable rejected) {
      endOnInternalError(rejected);
    }
  }

  private void enqueue() {
    try {
      state.config().executor().execute(this);
    } catch (Throwable rejected) {
      endOnInternalError(rejected);
    }
  }

  /**
   * Completes with the failure of the last attempt or, after a rejected result, with the error
   * itself.
   */
  private void endOnInternalError(Throwable error) {
    Throwable answer = state.previousFailure().orElse(error);
    if (state.schedulingFailed(Failure.exception(answer), answer, error)
        instanceof RetryState.NextStep.HandOver over) {
      handOver(over, answer);
    } else {
      completeExceptionally(state.withSummary(answer, StopReason.INTERNAL_ERROR));
    }
  }

  @Override
  public boolean complete(T value) {
    return cancelPendingIf(super.complete(value));
  }

  @Override
  public boolean completeExceptionally(Throwable thrown) {
    return cancelPendingIf(super.completeExceptionally(thrown));
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return cancelPendingIf(super.cancel(mayInterruptIfRunning));
  }

  private boolean cancelPendingIf(boolean ended) {
    if (ended) {
      cancelPending();
    }
    return ended;
  }

  private void cancelPending() {
    Object current = pending;
    if (current instanceof CompletionStage<?> stage) {
      CompletionStages.cancel(stage);
    } else if (current instanceof TimeProvider.Cancellable timer) {
      cancelPending(timer);
    }
  }

  private static void cancelPending(TimeProvider.Cancellable timer) {
    try {
      timer.cancel();
    } catch (RuntimeException e) {
      RetryLog.warn("A timer could not be canceled", e);
    }
  }
}
