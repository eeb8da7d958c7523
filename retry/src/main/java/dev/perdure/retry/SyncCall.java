// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import org.jspecify.annotations.Nullable;

/** A call made on the caller's own thread. */
final class SyncCall<T extends @Nullable Object, X extends Exception> {

  private final RetryConfig config;
  private final ContextCall<T, X> call;
  private final RetryState state;

  SyncCall(RetryConfig retryConfig, ContextCall<T, X> call) {
    this(new RetryState(retryConfig), call);
  }

  SyncCall(RetryState retryState, ContextCall<T, X> call) {
    this.config = retryState.config();
    this.call = call;
    this.state = retryState;
  }

  T run() throws X {
    state.callStarted();
    return attempts();
  }

  /** Goes on after a first attempt that failed before anybody kept count. */
  T resumeAfter(Throwable firstFailure) throws X {
    state.beginAttempt();
    waitAfter(firstFailure);
    return attempts();
  }

  private T attempts() throws X {
    while (true) {
      state.beginAttempt();
      CircuitPermit circuitPermit = CircuitPermit.NONE;
      T result;
      try {
        circuitPermit = CircuitPermit.acquire(config);
        result = TimedAttempt.run(config, state, call);
      } catch (Throwable thrown) {
        if (isInterrupted(thrown)) {
          circuitPermit.canceled();
        } else {
          circuitPermit.failed(thrown);
        }
        waitAfter(thrown);
        continue;
      }
      if (isFinalResult(result, circuitPermit)) {
        return result;
      }
    }
  }

  /** True when the result is the answer: a good one, or the last one. */
  private boolean isFinalResult(T result, CircuitPermit circuitPermit) throws X {
    Failure fault;
    try {
      fault = config.failureOf(result);
    } catch (Throwable broken) {
      circuitPermit.succeeded();
      RetryState.NextStep.Stop stop =
          state.stopOnInternalError(Failure.exception(broken), null, broken);
      throw SneakyThrow.<X>rethrow(state.withSummary(broken, stop.reason()));
    }
    if (fault == null) {
      circuitPermit.succeeded();
      state.notifySuccess();
      return true;
    }
    circuitPermit.resultRejected(fault);
    return !waitedAfterRejectedResult(fault);
  }

  private boolean waitedAfterRejectedResult(Failure fault) throws X {
    if (Thread.currentThread().isInterrupted()) {
      state.stop(fault, StopReason.INTERRUPTED);
      return false;
    }
    RetryState.NextStep end = waitFor(state.afterRejectedResult(fault), null);
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
   * Also true of what an interrupt made of an attempt, such as a ClosedByInterruptException. The
   * thread's flag stays set.
   */
  private static boolean isInterrupted(Throwable thrown) {
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return Thread.currentThread().isInterrupted();
  }

  /**
   * Null when the wait is over and the next attempt may go; or else how the call ends. The thread's
   * flag stays set.
   */
  private RetryState.@Nullable NextStep waitFor(
      RetryState.NextStep nextStep, @Nullable Throwable thrown) {
    if (!(nextStep instanceof RetryState.NextStep.Wait wait)) {
      return nextStep;
    }
    try {
      if (!wait.delay().isZero()) {
        config.timeProvider().sleep(wait.delay());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error broken) {
      return state.schedulingFailed(wait.failure(), thrown, broken);
    }
    return Thread.currentThread().isInterrupted()
        ? state.stop(wait.failure(), StopReason.INTERRUPTED)
        : null;
  }
}
