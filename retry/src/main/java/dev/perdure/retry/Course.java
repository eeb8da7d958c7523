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
 * nothing of threads; used by one at a time. Nothing that it asks of code handed in, a reader, a
 * predicate or a listener, can make it throw.
 */
class Course implements RetryContext {

  /** Earlier failures kept for the one that is thrown; older ones are dropped. */
  static final int MOST_KEPT = 10;

  private static final long NO_DELAY = -1;

  private final Settings settings;
  private final long startedAt;
  private long attempts;
  // Waiting calls may be many: a number instead of a Duration, and no list for a single failure.
  private long previousDelay = NO_DELAY;
  private @Nullable Throwable previous;
  private @Nullable List<Throwable> earlier;

  Course(Settings settings) {
    this.settings = settings;
    this.startedAt = settings.waits().nanoTime();
  }

  Settings settings() {
    return settings;
  }

  /** A call begins: its share goes to the budget. */
  void depart() {
    RetryBudget budget = settings.limits().budget();
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
    return Duration.ofNanos(Math.max(0, settings.waits().nanoTime() - startedAt));
  }

  @Override
  public Optional<Throwable> previousFailure() {
    return Optional.ofNullable(previous);
  }

  /** What comes after an attempt that failed. */
  sealed interface Next {
    record Wait(Duration delay, Failure failure) implements Next {}

    record Stop(StopReason reason) implements Next {}

    /** The process goes no further, for this reason, but somebody else may. */
    record HandOver(DurableCourse course, Failure failure, StopReason reason) implements Next {

      /** Hands over; what to throw then. May block. */
      Throwable deliver(@Nullable Throwable thrown) {
        return course.deliver(this, thrown);
      }
    }
  }

  /** The wait before the next attempt; or why there is none. */
  Next afterFailure(Throwable thrown) {
    Next next;
    try {
      next = decide(read(thrown), thrown);
    } catch (Throwable broken) {
      return broken(Failure.exception(thrown), thrown, broken);
    }
    if (next instanceof Next.Wait) {
      remember(thrown);
    }
    return next;
  }

  /** The same for an attempt whose result was refused. */
  Next afterRefusal(Failure fault) {
    Next next;
    try {
      next = decide(fault, null);
    } catch (Throwable broken) {
      return broken(fault, null, broken);
    }
    if (next instanceof Next.Wait) {
      remember(null);
    }
    return next;
  }

  /** The end that a failure makes whatever the policy says; null when the policy decides. */
  Next.@Nullable Stop endFromOutside(Throwable thrown, boolean interrupted) {
    if (interrupted || thrown instanceof InterruptedException) {
      return stop(Failure.exception(thrown), StopReason.INTERRUPTED);
    }
    if (Unwrapping.of(thrown) instanceof CancellationException) {
      return stop(Failure.exception(thrown), StopReason.CANCELED);
    }
    return null;
  }

  /** The end because something beside the work failed: a timer, an executor, a reader. */
  Next.Stop broken(Failure failure, @Nullable Throwable thrown, Throwable broken) {
    Complaints.log("no retry, since what should decide about it or wait for it threw", broken);
    if (thrown != null) {
      suppress(thrown, broken);
    }
    return stop(failure, StopReason.CANNOT_GO_ON);
  }

  /** The end because nobody could wait for the attempt that was to follow, or start it. */
  Next stranded(Failure failure, @Nullable Throwable thrown, Throwable broken) {
    return broken(failure, thrown, broken);
  }

  /** The end, and everybody hears of it. */
  Next.Stop stop(Failure failure, StopReason reason) {
    tellGivenUp(failure, reason);
    return new Next.Stop(reason);
  }

  private Failure read(Throwable thrown) {
    Failure failure = settings.rules().reader().read(thrown);
    boolean unwanted =
        settings.rules().retryIf() != null && !settings.rules().retryIf().test(thrown);
    return unwanted || isUnnamedError(thrown, failure) ? failure.withPermanent(true) : failure;
  }

  /** An {@code Error} is retried only by a policy that names its type. */
  private boolean isUnnamedError(Throwable thrown, Failure failure) {
    if (!(Unwrapping.of(thrown) instanceof Error)) {
      return false;
    }
    return settings.policy().retryOn().stream()
        .noneMatch(
            matcher -> matcher instanceof FailureMatcher.ExceptionType && matcher.matches(failure));
  }

  private Next decide(Failure failure, @Nullable Throwable thrown) {
    Next next = decideByPolicy(failure, thrown);
    switch (next) {
      case Next.Wait wait -> {
        tell(
            listener ->
                listener.onRetry(
                    new RetryListener.Retrying(
                        settings.operation(), attempt(), failure, wait.delay())));
        previousDelay = wait.delay().toMillis();
      }
      case Next.Stop stop -> tellGivenUp(failure, stop.reason());
      case Next.HandOver untoldUntilItIsDone -> {}
    }
    return next;
  }

  private Next decideByPolicy(Failure failure, @Nullable Throwable thrown) {
    RetryPolicy policy = settings.policy();
    boolean needsWallClock = policy.expiry() instanceof Expiry.At;
    Instant now = needsWallClock ? settings.waits().now() : Instant.EPOCH;
    Duration before = previousDelay == NO_DELAY ? null : Duration.ofMillis(previousDelay);
    Duration elapsed = elapsed();
    Facts facts = new Facts(attempt(), elapsed, now, before);
    return switch (policy.decide(facts, withOwnDelay(failure), settings.random().get())) {
      case Decision.GiveUp giveUp -> new Next.Stop(StopReason.of(giveUp.reason()));
      case Decision.Retry retry -> {
        Duration delay = retry.delay();
        StopReason hindrance = hindrance(elapsed.plus(delay));
        yield wanted(delay, failure, thrown, hindrance);
      }
    };
  }

  /** The policy wants another attempt after the delay, unless something else hinders it. */
  Next wanted(
      Duration delay, Failure failure, @Nullable Throwable thrown, @Nullable StopReason hindrance) {
    return hindrance == null ? new Next.Wait(delay, failure) : new Next.Stop(hindrance);
  }

  private Failure withOwnDelay(Failure failure) {
    DelayFunction delays = settings.rules().delays();
    Duration own = delays == null ? null : delays.after(attempt(), failure);
    return own == null ? failure : failure.withAskedDelay(own);
  }

  /**
   * Why there is no attempt so long after the start of the call; null when there may be one.
   * Predictive: a wait that would pass the time limit is not begun. The budget is asked last.
   */
  @Nullable StopReason hindrance(Duration elapsedThen) {
    Duration total = settings.limits().total();
    if (total != null && elapsedThen.compareTo(total) >= 0) {
      return StopReason.TIME_LIMIT;
    }
    RetryBudget budget = settings.limits().budget();
    return budget != null && !budget.take() ? StopReason.BUDGET : null;
  }

  private void remember(@Nullable Throwable thrown) {
    if (previous != null) {
      if (earlier == null) {
        earlier = new ArrayList<>(2);
      } else if (earlier.size() == MOST_KEPT - 1) {
        earlier.removeFirst();
      }
      earlier.add(previous);
    }
    previous = thrown;
  }

  /**
   * The failure as it is thrown: itself, with the earlier ones and the history suppressed in it.
   */
  <E extends Throwable> E told(E thrown, StopReason reason) {
    // An exception that is thrown again and again, such as a constant, must not grow for ever.
    if (RetryHistory.isTold(thrown, settings)) {
      return thrown;
    }
    if (earlier != null) {
      earlier.forEach(before -> suppress(thrown, before));
    }
    if (previous != null) {
      suppress(thrown, previous);
    }
    thrown.addSuppressed(new RetryHistory(settings, attempts, elapsed(), reason));
    return thrown;
  }

  /** An exception cannot suppress itself, and need not suppress its cause. */
  @SuppressWarnings("ReferenceEquality")
  static void suppress(Throwable thrown, Throwable other) {
    if (other != thrown && other != thrown.getCause()) {
      thrown.addSuppressed(other);
    }
  }

  void tellSuccess() {
    tell(
        listener ->
            listener.onSuccess(
                new RetryListener.Succeeded(settings.operation(), attempts, elapsed())));
  }

  void tellGivenUp(Failure failure, StopReason reason) {
    tell(
        listener ->
            listener.onGiveUp(
                new RetryListener.GivenUp(
                    settings.operation(), attempts, failure, reason, elapsed())));
  }

  private void tell(Consumer<RetryListener> event) {
    for (RetryListener listener : settings.listeners()) {
      try {
        event.accept(listener);
      } catch (Throwable e) {
        Complaints.log("a listener threw", e);
      }
    }
  }
}
