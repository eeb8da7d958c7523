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
 * One call on its way from attempt to attempt: what has happened, and what comes next. Knows
 * nothing of threads; used by one at a time. Nothing that it asks of code handed in, a reader, a
 * predicate or a listener, can make it throw.
 */
class RetryState implements RetryContext {

  /** Earlier failures kept for the one that is thrown; older ones are dropped. */
  static final int MAX_SUPPRESSED = 10;

  private static final long NO_DELAY = -1;

  private final RetryConfig config;
  private final long startedAt;
  private long attempts;
  // Waiting calls may be many: a number instead of a Duration, and no list for a single failure.
  private long previousDelay = NO_DELAY;
  private @Nullable Throwable previousFailure;
  private @Nullable List<Throwable> earlierFailures;

  RetryState(RetryConfig retryConfig) {
    this.config = retryConfig;
    this.startedAt = retryConfig.timeProvider().nanoTime();
  }

  RetryConfig config() {
    return config;
  }

  /** A call begins: its share goes to the budget. */
  void callStarted() {
    RetryBudget budget = config.limits().budget();
    if (budget != null) {
      budget.deposit();
    }
  }

  /** An attempt begins. */
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

  /** What comes after an attempt that failed. */
  sealed interface NextStep {
    record Wait(Duration delay, Failure failure) implements NextStep {}

    record Stop(StopReason reason) implements NextStep {}

    /** The process goes no further, for this reason, but somebody else may. */
    record HandOver(DurableRetryState state, Failure failure, StopReason reason)
        implements NextStep {

      /** Hands over; what to throw then. May block. */
      Throwable execute(@Nullable Throwable thrown) {
        return state.handOver(this, thrown);
      }
    }
  }

  /** The wait before the next attempt; or why there is none. */
  NextStep afterFailure(Throwable thrown) {
    NextStep nextStep;
    try {
      nextStep = decide(classify(thrown), thrown);
    } catch (Throwable broken) {
      return stopOnInternalError(Failure.exception(thrown), thrown, broken);
    }
    if (nextStep instanceof NextStep.Wait) {
      keepFailure(thrown);
    }
    return nextStep;
  }

  /** The same for an attempt whose result was refused. */
  NextStep afterRejectedResult(Failure fault) {
    NextStep nextStep;
    try {
      nextStep = decide(fault, null);
    } catch (Throwable broken) {
      return stopOnInternalError(fault, null, broken);
    }
    if (nextStep instanceof NextStep.Wait) {
      keepFailure(null);
    }
    return nextStep;
  }

  /** The end that a failure makes whatever the policy says; null when the policy decides. */
  NextStep.@Nullable Stop stopIfCanceled(Throwable thrown, boolean interrupted) {
    if (interrupted || thrown instanceof InterruptedException) {
      return stop(Failure.exception(thrown), StopReason.INTERRUPTED);
    }
    if (ExceptionUnwrapper.unwrap(thrown) instanceof CancellationException) {
      return stop(Failure.exception(thrown), StopReason.CANCELED);
    }
    return null;
  }

  /** The end because something beside the work failed: a timer, an executor, a reader. */
  NextStep.Stop stopOnInternalError(Failure failure, @Nullable Throwable thrown, Throwable broken) {
    RetryLog.warn("no retry, since what should decide about it or wait for it threw", broken);
    if (thrown != null) {
      suppress(thrown, broken);
    }
    return stop(failure, StopReason.INTERNAL_ERROR);
  }

  /** The end because nobody could wait for the attempt that was to follow, or start it. */
  NextStep schedulingFailed(Failure failure, @Nullable Throwable thrown, Throwable broken) {
    return stopOnInternalError(failure, thrown, broken);
  }

  /** The end, and everybody hears of it. */
  NextStep.Stop stop(Failure failure, StopReason reason) {
    notifyGiveUp(failure, reason);
    return new NextStep.Stop(reason);
  }

  private Failure classify(Throwable thrown) {
    Failure failure = config.rules().failureClassifier().classify(thrown);
    boolean unwanted = config.rules().retryIf() != null && !config.rules().retryIf().test(thrown);
    return unwanted || isUnnamedError(thrown, failure) ? failure.withPermanent(true) : failure;
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
    NextStep nextStep = askPolicy(failure, thrown);
    switch (nextStep) {
      case NextStep.Wait wait -> {
        notifyListeners(
            listener ->
                listener.onRetry(
                    new RetryListener.RetryEvent(
                        config.operation(), attempt(), failure, wait.delay())));
        previousDelay = wait.delay().toMillis();
      }
      case NextStep.Stop stop -> notifyGiveUp(failure, stop.reason());
      case NextStep.HandOver untoldUntilItIsDone -> {}
    }
    return nextStep;
  }

  private NextStep askPolicy(Failure failure, @Nullable Throwable thrown) {
    RetryPolicy policy = config.policy();
    boolean needsWallClock = policy.expiry() instanceof Expiry.At;
    Instant now = needsWallClock ? config.timeProvider().now() : Instant.EPOCH;
    Duration before = previousDelay == NO_DELAY ? null : Duration.ofMillis(previousDelay);
    Duration elapsed = elapsed();
    DecisionContext decisionContext = new DecisionContext(attempt(), elapsed, now, before);
    return switch (policy.decide(
        decisionContext, withCustomDelay(failure), config.random().get())) {
      case Decision.GiveUp giveUp -> new NextStep.Stop(StopReason.of(giveUp.reason()));
      case Decision.Retry retry -> {
        Duration delay = retry.delay();
        StopReason hindrance = reachedLimit(elapsed.plus(delay));
        yield retryUnlessLimited(delay, failure, thrown, hindrance);
      }
    };
  }

  /** The policy wants another attempt after the delay, unless something else hinders it. */
  NextStep retryUnlessLimited(
      Duration delay, Failure failure, @Nullable Throwable thrown, @Nullable StopReason hindrance) {
    return hindrance == null ? new NextStep.Wait(delay, failure) : new NextStep.Stop(hindrance);
  }

  private Failure withCustomDelay(Failure failure) {
    DelayFunction delays = config.rules().delayFunction();
    Duration own = delays == null ? null : delays.after(attempt(), failure);
    return own == null ? failure : failure.withRequestedDelay(own);
  }

  /**
   * Why there is no attempt so long after the start of the call; null when there may be one.
   * Predictive: a wait that would pass the time limit is not begun. The budget is asked last.
   */
  @Nullable StopReason reachedLimit(Duration elapsedThen) {
    Duration total = config.limits().timeLimit();
    if (total != null && elapsedThen.compareTo(total) >= 0) {
      return StopReason.TIME_LIMIT;
    }
    RetryBudget budget = config.limits().budget();
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

  /**
   * The failure as it is thrown: itself, with the earlier ones and the history suppressed in it.
   */
  <E extends Throwable> E withSummary(E thrown, StopReason reason) {
    // An exception that is thrown again and again, such as a constant, must not grow for ever.
    if (RetrySummary.isAlreadyIn(thrown, config)) {
      return thrown;
    }
    if (earlierFailures != null) {
      earlierFailures.forEach(before -> suppress(thrown, before));
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
                    config.operation(), attempts, failure, reason, elapsed())));
  }

  private void notifyListeners(Consumer<RetryListener> event) {
    for (RetryListener listener : config.listeners()) {
      try {
        event.accept(listener);
      } catch (Throwable e) {
        RetryLog.warn("a listener threw", e);
      }
    }
  }
}
