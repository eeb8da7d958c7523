// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import org.jspecify.annotations.Nullable;

/** A call on the caller's thread. */
final class SyncCall<T extends @Nullable Object, X extends Exception> {

  private final RetryConfig config;
  private final ContextCall<T, X> call;
  private final RetryState state;

  SyncCall(RetryConfig config, ContextCall<T, X> call) {
    this(new RetryState(config), call);
  }

  SyncCall(RetryState state, ContextCall<T, X> call) {
    this.config = state.config();
    this.call = call;
    this.state = state;
  }

  T run() throws X {
    state.callStarted();
    return attempts();
  }

  /** Continues after a first attempt that was made outside of this class and failed. */
  T resumeAfter(Throwable firstFailure) throws X {
    state.beginAttempt();
    waitAfter(firstFailure);
    return attempts();
  }

  private T attempts() throws X {
    while (true) {
      state.beginAttempt();
      CircuitPermit permit = CircuitPermit.NONE;
      T result;
      try {
        permit = CircuitPermit.acquire(config);
        result = TimedAttempt.run(config, state, call);
      } catch (Throwable thrown) {
        if (isInterrupted(thrown)) {
          permit.canceled();
        } else {
          permit.failed(thrown);
        }
        waitAfter(thrown);
        continue;
      }
      if (isFinalResult(result, permit)) {
        return result;
      }
    }
  }

  /** Returns true if the call returns this result: it is a success, or no retry follows. */
  private boolean isFinalResult(T result, CircuitPermit permit) throws X {
    Failure failure;
    try {
      failure = config.failureOf(result);
    } catch (Throwable error) {
      permit.succeeded();
      RetryState.NextStep.Stop stop =
          state.stopOnInternalError(Failure.exception(error), null, error);
      throw SneakyThrow.<X>rethrow(state.withSummary(error, stop.reason()));
    }
    if (failure == null) {
      permit.succeeded();
      state.notifySuccess();
      return true;
    }
    permit.resultRejected(failure);
    return !waitedAfterRejectedResult(failure);
  }

  private boolean waitedAfterRejectedResult(Failure failure) throws X {
    if (Thread.currentThread().isInterrupted()) {
      state.stop(failure, StopReason.INTERRUPTED);
      return false;
    }
    RetryState.NextStep end = waitFor(state.afterRejectedResult(failure), null);
    if (end instanceof RetryState.NextStep.HandOver over) {
      throw SneakyThrow.<X>rethrow(over.execute(null));
    }
    return end == null;
  }

  private void waitAfter(Throwable thrown) throws X {
    RetryState.NextStep end = state.stopIfCanceled(thrown, isInterrupted(thrown));
    if (end == null) {
      end = waitFor(state.afterFailure(thrown), thrown);
    }
    if (end instanceof RetryState.NextStep.HandOver over) {
      throw SneakyThrow.<X>rethrow(over.execute(thrown));
    }
    if (end instanceof RetryState.NextStep.Stop stop) {
      throw SneakyThrow.<X>rethrow(state.withSummary(thrown, stop.reason()));
    }
  }

  /**
   * Returns true for any exception while the thread is interrupted, such as a
   * ClosedByInterruptException. The interrupt flag stays set.
   */
  private static boolean isInterrupted(Throwable thrown) {
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return Thread.currentThread().isInterrupted();
  }

  /**
   * Waits before the next attempt. Returns null if it may start, or else how the call ends. The
   * interrupt flag stays set.
   */
  private RetryState.@Nullable NextStep waitFor(
      RetryState.NextStep next, @Nullable Throwable thrown) {
    if (!(next instanceof RetryState.NextStep.Wait wait)) {
      return next;
    }
    try {
      if (!wait.delay().isZero()) {
        config.timeProvider().sleep(wait.delay());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error error) {
      return state.schedulingFailed(wait.failure(), thrown, error);
    }
    return Thread.currentThread().isInterrupted()
        ? state.stop(wait.failure(), StopReason.INTERRUPTED)
        : null;
  }
}
