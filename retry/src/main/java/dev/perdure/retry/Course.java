// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Decision;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.Facts;
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
 * nothing of threads; used by one at a time.
 */
final class Course implements RetryContext {

  /** Earlier failures kept for the one that is thrown; older ones are dropped. */
  static final int MOST_KEPT = 10;

  private final Settings settings;
  private final long startedAt;
  private final List<Throwable> earlier = new ArrayList<>(2);
  private long attempt;
  private @Nullable Duration previousDelay;
  private @Nullable Throwable previousFailure;

  Course(Settings settings, long startedAt) {
    this.settings = settings;
    this.startedAt = startedAt;
  }

  @Override
  public long attempt() {
    return attempt;
  }

  @Override
  public Duration elapsed() {
    return Duration.ofNanos(Math.max(0, settings.waits().nanoTime() - startedAt));
  }

  @Override
  public Optional<Throwable> previousFailure() {
    return Optional.ofNullable(previousFailure);
  }

  /** A failure that says nothing about the work and ends the call as it is. */
  static boolean endsAtOnce(Throwable thrown) {
    return thrown instanceof InterruptedException || thrown instanceof CancellationException;
  }

  /** The wait before the next attempt; or why there is none. */
  Next afterFailure(Throwable thrown) {
    Failure failure = read(thrown);
    Next next = decide(failure);
    if (next instanceof Next.Wait) {
      remember(thrown);
    }
    return next;
  }

  /** The same for an attempt whose result was refused. */
  Next afterRefusal(Failure fault) {
    Next next = decide(fault);
    if (next instanceof Next.Wait) {
      previousFailure = null;
    }
    return next;
  }

  /** What comes after an attempt that failed. */
  sealed interface Next {
    record Wait(Duration delay) implements Next {}

    record Stop(StopReason reason) implements Next {}
  }

  private Failure read(Throwable thrown) {
    Failure failure = settings.rules().reader().read(thrown);
    boolean unwanted =
        settings.rules().retryIf() != null && !settings.rules().retryIf().test(thrown);
    return unwanted || isUnnamedError(thrown, failure) ? failure.withPermanent(true) : failure;
  }

  /** An {@code Error} is retried only by a policy that names its type. */
  private boolean isUnnamedError(Throwable thrown, Failure failure) {
    if (!(thrown instanceof Error)) {
      return false;
    }
    return settings.policy().retryOn().stream()
        .noneMatch(
            matcher -> matcher instanceof FailureMatcher.ExceptionType && matcher.matches(failure));
  }

  private Next decide(Failure failure) {
    Next next = decideByPolicy(withOwnDelay(failure));
    switch (next) {
      case Next.Wait wait -> {
        tell(
            listener ->
                listener.onRetry(
                    new RetryListener.Retrying(
                        settings.operation(), attempt, failure, wait.delay())));
        previousDelay = wait.delay();
        attempt++;
      }
      case Next.Stop stop -> tellGivenUp(failure, stop.reason());
    }
    return next;
  }

  private Failure withOwnDelay(Failure failure) {
    DelayFunction delays = settings.rules().delays();
    return delays == null ? failure : failure.withAskedDelay(delays.after(attempt, failure));
  }

  private Next decideByPolicy(Failure failure) {
    RetryPolicy policy = settings.policy();
    boolean needsWallClock = policy.expiry() instanceof Expiry.At;
    Instant now = needsWallClock ? settings.waits().now() : Instant.EPOCH;
    Facts facts = new Facts(attempt, elapsed(), now, previousDelay);
    return switch (policy.decide(facts, failure, settings.random().get())) {
      case Decision.GiveUp giveUp -> new Next.Stop(StopReason.of(giveUp.reason()));
      case Decision.Retry retry -> withinLimits(retry.delay());
    };
  }

  /** Predictive: a wait that would pass the time limit is not begun. The budget is asked last. */
  private Next withinLimits(Duration delay) {
    Duration total = settings.limits().total();
    if (total != null && elapsed().plus(delay).compareTo(total) >= 0) {
      return new Next.Stop(StopReason.TIME_LIMIT);
    }
    RetryBudget budget = settings.limits().budget();
    if (budget != null && !budget.take()) {
      return new Next.Stop(StopReason.BUDGET);
    }
    return new Next.Wait(delay);
  }

  private void remember(Throwable thrown) {
    if (earlier.size() == MOST_KEPT) {
      earlier.removeFirst();
    }
    earlier.add(thrown);
    previousFailure = thrown;
  }

  /**
   * The failure as it is thrown: itself, with the earlier ones and the history suppressed in it.
   */
  @SuppressWarnings("ReferenceEquality") // An exception cannot suppress itself.
  <E extends Throwable> E told(E thrown, StopReason reason) {
    // An exception that is thrown again and again, such as a constant, must not grow for ever.
    if (RetryHistory.of(thrown).isEmpty()) {
      for (Throwable before : earlier) {
        if (before != thrown) {
          thrown.addSuppressed(before);
        }
      }
      thrown.addSuppressed(new RetryHistory(attempt + 1, elapsed(), reason));
    }
    return thrown;
  }

  void tellSuccess() {
    tell(
        listener ->
            listener.onSuccess(
                new RetryListener.Succeeded(settings.operation(), attempt + 1, elapsed())));
  }

  void tellGivenUp(Failure failure, StopReason reason) {
    tell(
        listener ->
            listener.onGiveUp(
                new RetryListener.GivenUp(
                    settings.operation(), attempt + 1, failure, reason, elapsed())));
  }

  private void tell(Consumer<RetryListener> event) {
    for (RetryListener listener : settings.listeners()) {
      try {
        event.accept(listener);
      } catch (RuntimeException e) {
        // A listener must not change how the call ends.
        System.getLogger("dev.perdure.retry")
            .log(System.Logger.Level.WARNING, "listener failed", e);
      }
    }
  }
}
