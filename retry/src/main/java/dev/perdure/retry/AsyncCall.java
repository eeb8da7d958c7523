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
 * It moves by hand-over: an attempt's stage completes, the course decides, a timer waits, the
 * executor starts the next attempt. Only one of these is under way at a time, so the course needs
 * no lock; each hand-over is a happens-before edge. What is under way stands in one field:
 *
 *   null           nothing yet: the executor has been asked to run the next attempt
 *   a stage        an attempt; whoever takes it away by compare-and-set has heard its end
 *   a Next.Wait    a timer is being asked for; it may fire before it is known by name
 *   a Cancellable  that timer
 *
 * From the side comes the caller, who may cancel or complete this future at any time. He first
 * completes it and then calls off what he finds under way; the call first says what is under way
 * and then looks whether it is completed. One of the two sees the other.
 *
 * Everything that can throw is caught: what escapes into a timer, an executor or a stage is heard
 * by nobody, and the caller would wait for ever.
 *
 * Being future, timer task and executor task in one keeps a waiting retry small: 100,000 may wait.
 */
final class AsyncCall<T extends @Nullable Object> extends CompletableFuture<T> implements Runnable {

  private static final VarHandle UNDER_WAY = underWayHandle();

  private final Function<? super RetryContext, ? extends CompletionStage<T>> call;
  private final RetryState state;
  private volatile @Nullable Object underWay;

  AsyncCall(
      RetryConfig retryConfig, Function<? super RetryContext, ? extends CompletionStage<T>> call) {
    this(new RetryState(retryConfig), call);
  }

  AsyncCall(
      RetryState retryState, Function<? super RetryContext, ? extends CompletionStage<T>> call) {
    this.call = call;
    this.state = retryState;
  }

  private static VarHandle underWayHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(AsyncCall.class, "underWay", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  CompletableFuture<T> start() {
    state.callStarted();
    attempt();
    return this;
  }

  /** Called by the timer, whose thread only hands on, since user code must not hold it up. */
  @Override
  public void run() {
    if (isDone()) {
      return;
    }
    if (underWay == null) {
      attempt();
    } else {
      underWay = null;
      enqueue();
    }
  }

  private void attempt() {
    state.beginAttempt();
    CircuitPermit circuitPermit = CircuitPermit.NONE;
    try {
      circuitPermit = CircuitPermit.acquire(state.config());
      CompletionStage<T> work =
          requireNonNull(call.apply(state), "the call returned null instead of a stage");
      awaitStage(TimedStage.of(state.config(), work), circuitPermit);
    } catch (Throwable thrown) {
      if (thrown instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      circuitPermit.failed(thrown);
      attemptFailed(ExceptionUnwrapper.unwrap(thrown));
    }
  }

  private void awaitStage(CompletionStage<T> stage, CircuitPermit circuitPermit) {
    underWay = stage;
    // Not whenComplete: for the stage that it returns, and that nobody looks at, it would wrap
    // every failure in a CompletionException with a stack trace.
    stage.handle(
        (result, thrown) -> {
          // A stage of poor make may say twice that it ended.
          if (UNDER_WAY.compareAndSet(this, stage, null)) {
            stageCompleted(circuitPermit, result, thrown);
          }
          return true;
        });
    if (isDone()) {
      cancelPending();
    }
  }

  private void stageCompleted(CircuitPermit circuitPermit, T result, @Nullable Throwable thrown) {
    if (thrown == null) {
      resultReceived(circuitPermit, result);
      return;
    }
    Throwable failure = ExceptionUnwrapper.unwrap(thrown);
    circuitPermit.failed(failure);
    attemptFailed(failure);
  }

  private void resultReceived(CircuitPermit circuitPermit, T result) {
    Failure fault;
    try {
      fault = state.config().failureOf(result);
    } catch (Throwable broken) {
      circuitPermit.succeeded();
      RetryState.NextStep.Stop stop =
          state.stopOnInternalError(Failure.exception(broken), null, broken);
      completeExceptionally(state.withSummary(broken, stop.reason()));
      return;
    }
    if (fault != null) {
      circuitPermit.resultRejected(fault);
    } else {
      circuitPermit.succeeded();
    }
    if (isDone()) {
      return;
    }
    if (fault == null) {
      state.notifySuccess();
      complete(result);
      return;
    }
    switch (state.afterRejectedResult(fault)) {
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

  /** On the executor, since it may block; or here, when the executor takes nothing any more. */
  private void handOver(RetryState.NextStep.HandOver over, @Nullable Throwable thrown) {
    try {
      state.config().executor().execute(() -> executeHandOver(over, thrown));
    } catch (Throwable refusedByExecutor) {
      executeHandOver(over, thrown);
    }
  }

  private void executeHandOver(RetryState.NextStep.HandOver over, @Nullable Throwable thrown) {
    if (!isDone()) {
      completeExceptionally(over.execute(thrown));
    }
  }

  /** Never on this stack: attempts that fail at once would pile up on it. */
  private void scheduleRetry(RetryState.NextStep.Wait next) {
    if (next.delay().isZero()) {
      enqueue();
      return;
    }
    underWay = next;
    try {
      TimeProvider.Cancellable timer = state.config().timeProvider().schedule(this, next.delay());
      if (UNDER_WAY.compareAndSet(this, next, timer) && isDone()) {
        timer.cancel();
      }
    } catch (Throwable refusedByTimer) {
      endOnInternalError(refusedByTimer);
    }
  }

  private void enqueue() {
    try {
      state.config().executor().execute(this);
    } catch (Throwable refusedByExecutor) {
      endOnInternalError(refusedByExecutor);
    }
  }

  /** The answer is the failure of the attempt; or, after a refused result, what broke. */
  private void endOnInternalError(Throwable broken) {
    Throwable answer = state.previousFailure().orElse(broken);
    if (state.schedulingFailed(Failure.exception(answer), answer, broken)
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
    Object stopping = underWay;
    if (stopping instanceof CompletionStage<?> stage) {
      CompletionStages.cancel(stage);
    } else if (stopping instanceof TimeProvider.Cancellable timer) {
      cancelPending(timer);
    }
  }

  private static void cancelPending(TimeProvider.Cancellable timer) {
    try {
      timer.cancel();
    } catch (RuntimeException e) {
      RetryLog.warn("a timer could not be called off", e);
    }
  }
}
