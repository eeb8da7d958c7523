// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of one call between attempts: what has happened, and what comes next. Independent of
 * threads, and used by one thread at a time. It never throws because of a callback such as a
 * classifier, a predicate or a listener.
 */
class RetryState implements RetryContext {

  /**
   * The maximum number of earlier failures that are added to the thrown one; older ones are
   * dropped.
   */
  static final int MAX_SUPPRESSED = 10;

  private static final long NO_DELAY = -1;

  private final RetryConfig config;
  private final long startedAt;
  private long attempts;
  // Many calls may wait: a number is smaller than a Duration, and most calls need no list.
  private long previousDelay = NO_DELAY;

  /** How many of the attempts were reported to {@link RetryListener#onRetry}. */
  private long retriedAttempts;

  private @Nullable Throwable previousFailure;
  private @Nullable List<Throwable> earlierFailures;

  RetryState(RetryConfig config) {
    this.config = config;
    this.startedAt = config.timeProvider().nanoTime();
  }

  RetryConfig config() {
    return config;
  }

  /** Adds the share of this call to the budget. */
  void callStarted() {
    RetryBudget budget = config.budget();
    if (budget != null) {
      budget.deposit();
    }
  }

  /** Counts an attempt that starts now. */
  void beginAttempt() {
    attempts++;
  }

  @Override
  public long attempt() {
    return attempts - 1;
  }

  @Override
  public Duration elapsed() {
    return Duration.ofNanos(Math.max(0, config.timeProvider().nanoTime() - startedAt));
  }

  @Override
  public Optional<Throwable> previousFailure() {
    return Optional.ofNullable(previousFailure);
  }

  /** What comes after a failed attempt. */
  sealed interface NextStep {
    record Wait(Duration delay, Failure failure) implements NextStep {}

    record Stop(StopReason reason) implements NextStep {}

    /** The process does not retry, for this reason, but the hand-over target can. */
    record HandOver(DurableRetryState state, Failure failure, StopReason reason)
        implements NextStep {

      /** Hands over and returns the exception to throw. May block. */
      Throwable execute(@Nullable Throwable thrown) {
        return state.handOver(this, thrown);
      }
    }
  }

  /** Decides what comes after a failed attempt. */
  NextStep afterFailure(Throwable thrown) {
    NextStep next;
    try {
      next = decide(classify(thrown), thrown);
    } catch (Throwable error) {
      return stopOnInternalError(Failure.exception(thrown), thrown, error);
    }
    if (next instanceof NextStep.Wait) {
      keepFailure(thrown);
    }
    return next;
  }

  /** Decides what comes after a rejected result. */
  NextStep afterRejectedResult(Failure failure) {
    NextStep next;
    try {
      next = decide(failure, null);
    } catch (Throwable error) {
      return stopOnInternalError(failure, null, error);
    }
    if (next instanceof NextStep.Wait) {
      keepFailure(null);
    }
    return next;
  }

  /** Returns a stop if the call was interrupted or canceled, and null if the policy decides. */
  NextStep.@Nullable Stop stopIfCanceled(Throwable thrown, boolean interrupted) {
    if (interrupted || thrown instanceof InterruptedException) {
      return stop(Failure.exception(thrown), StopReason.INTERRUPTED);
    }
    if (ExceptionUnwrapper.unwrap(thrown) instanceof CancellationException) {
      return stop(Failure.exception(thrown), StopReason.CANCELED);
    }
    return null;
  }

  /**
   * Stops because something other than the work failed, such as a timer, an executor or a
   * classifier.
   */
  NextStep.Stop stopOnInternalError(Failure failure, @Nullable Throwable thrown, Throwable error) {
    RetryLog.warn("No retry: a classifier, a predicate, a timer or the executor failed", error);
    if (thrown != null) {
      suppress(thrown, error);
    }
    return stop(failure, StopReason.INTERNAL_ERROR);
  }

  /** Decides what happens if the timer or the executor could not start the next attempt. */
  NextStep schedulingFailed(Failure failure, @Nullable Throwable thrown, Throwable error) {
    return stopOnInternalError(failure, thrown, error);
  }

  /** Stops and notifies the listeners. */
  NextStep.Stop stop(Failure failure, StopReason reason) {
    notifyGiveUp(failure, reason);
    return new NextStep.Stop(reason);
  }

  private Failure classify(Throwable thrown) {
    Failure failure = config.failureClassifier().classify(thrown);
    boolean excluded = config.retryIf() != null && !config.retryIf().test(thrown);
    return excluded || isUnnamedError(thrown, failure) ? failure.withPermanent(true) : failure;
  }

  /** An {@code Error} is retried only by a policy that names its type. */
  private boolean isUnnamedError(Throwable thrown, Failure failure) {
    if (!(ExceptionUnwrapper.unwrap(thrown) instanceof Error)) {
      return false;
    }
    return config.policy().retryOn().stream()
        .noneMatch(
            matcher -> matcher instanceof FailureMatcher.ExceptionType && matcher.matches(failure));
  }

  private NextStep decide(Failure failure, @Nullable Throwable thrown) {
    NextStep next = askPolicy(failure, thrown);
    switch (next) {
      case NextStep.Wait wait -> {
        notifyListeners(
            listener ->
                listener.onRetry(
                    new RetryListener.RetryEvent(
                        config.operation(), attempt(), failure, wait.delay())));
        previousDelay = wait.delay().toMillis();
        retriedAttempts = attempts;
      }
      case NextStep.Stop stop -> notifyGiveUp(failure, stop.reason());
      case NextStep.HandOver reportedWhenDone -> {}
    }
    return next;
  }

  private NextStep askPolicy(Failure failure, @Nullable Throwable thrown) {
    RetryPolicy policy = config.policy();
    boolean needsWallClock = policy.expiry() instanceof Expiry.At;
    Instant now = needsWallClock ? config.timeProvider().now() : Instant.EPOCH;
    Duration previous = previousDelay == NO_DELAY ? null : Duration.ofMillis(previousDelay);
    Duration elapsed = elapsed();
    DecisionContext context = new DecisionContext(attempt(), elapsed, now, previous);
    return switch (policy.decide(context, withCustomDelay(failure), config.random().get())) {
      case Decision.GiveUp giveUp -> new NextStep.Stop(StopReason.of(giveUp.reason()));
      case Decision.Retry retry -> {
        Duration delay = retry.delay();
        StopReason limit = reachedLimit(elapsed.plus(delay));
        yield retryUnlessLimited(delay, failure, thrown, limit);
      }
    };
  }

  /**
   * Returns the step after the policy decided to retry, given the limit that prevents it, if any.
   */
  NextStep retryUnlessLimited(
      Duration delay, Failure failure, @Nullable Throwable thrown, @Nullable StopReason limit) {
    return limit == null ? new NextStep.Wait(delay, failure) : new NextStep.Stop(limit);
  }

  private Failure withCustomDelay(Failure failure) {
    DelayFunction function = config.delayFunction();
    Duration delay = function == null ? null : function.after(attempt(), failure);
    return delay == null ? failure : failure.withRequestedDelay(delay);
  }

  /**
   * Returns the limit that prevents an attempt this long after the start of the call, or null. A
   * wait that would exceed the time limit does not start. The budget is checked last, because the
   * check takes a token.
   */
  @Nullable StopReason reachedLimit(Duration elapsedAtRetry) {
    Duration limit = config.timeLimit();
    if (limit != null && elapsedAtRetry.compareTo(limit) >= 0) {
      return StopReason.TIME_LIMIT;
    }
    RetryBudget budget = config.budget();
    return budget != null && !budget.take() ? StopReason.BUDGET_EXHAUSTED : null;
  }

  private void keepFailure(@Nullable Throwable thrown) {
    if (previousFailure != null) {
      if (earlierFailures == null) {
        earlierFailures = new ArrayList<>(2);
      } else if (earlierFailures.size() == MAX_SUPPRESSED - 1) {
        earlierFailures.removeFirst();
      }
      earlierFailures.add(previousFailure);
    }
    previousFailure = thrown;
  }

  /** Returns the failure with the earlier failures and a {@link RetrySummary} suppressed in it. */
  <E extends Throwable> E withSummary(E thrown, StopReason reason) {
    // An exception that is thrown repeatedly, such as a constant, must not grow forever.
    if (RetrySummary.isAlreadyIn(thrown, config)) {
      return thrown;
    }
    if (earlierFailures != null) {
      earlierFailures.forEach(earlier -> suppress(thrown, earlier));
    }
    if (previousFailure != null) {
      suppress(thrown, previousFailure);
    }
    thrown.addSuppressed(new RetrySummary(config, attempts, elapsed(), reason));
    return thrown;
  }

  /** An exception cannot suppress itself, and need not suppress its cause. */
  @SuppressWarnings("ReferenceEquality")
  static void suppress(Throwable thrown, Throwable other) {
    if (other != thrown && other != thrown.getCause()) {
      thrown.addSuppressed(other);
    }
  }

  void notifySuccess() {
    notifyListeners(
        listener ->
            listener.onSuccess(
                new RetryListener.SuccessEvent(config.operation(), attempts, elapsed())));
  }

  void notifyGiveUp(Failure failure, StopReason reason) {
    notifyListeners(
        listener ->
            listener.onGiveUp(
                new RetryListener.GiveUpEvent(
                    config.operation(),
                    attempts,
                    failure,
                    reason,
                    elapsed(),
                    retriedAttempts == attempts)));
  }

  private void notifyListeners(Consumer<RetryListener> event) {
    for (RetryListener listener : config.listeners()) {
      try {
        event.accept(listener);
      } catch (Throwable e) {
        RetryLog.warn("A retry listener threw an exception", e);
      }
    }
  }
}
