// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A call made on the caller's own thread. */
final class SyncCall<T extends @Nullable Object, X extends Exception> {

  private final Settings settings;
  private final ContextCall<T, X> call;
  private final Course course;

  SyncCall(Settings settings, ContextCall<T, X> call) {
    this.settings = settings;
    this.call = call;
    this.course = new Course(settings, settings.waits().nanoTime());
  }

  T run() throws X {
    RetryBudget budget = settings.limits().budget();
    if (budget != null) {
      budget.deposit();
    }
    return attempts(null);
  }

  /** Goes on after a first attempt that failed before anybody kept count. */
  T runAfter(Throwable firstFailure) throws X {
    return attempts(firstFailure);
  }

  private T attempts(@Nullable Throwable failedBefore) throws X {
    Throwable thrown = failedBefore;
    while (true) {
      if (thrown != null) {
        waitAfter(thrown);
        thrown = null;
      }
      T result;
      try {
        result = new OneAttempt<>(settings, course, call).make();
      } catch (Throwable failure) {
        thrown = failure;
        continue;
      }
      Failure fault = settings.faultOf(result);
      if (fault == null) {
        course.tellSuccess();
        return result;
      }
      if (!waitedAfterRefusal(fault)) {
        return result;
      }
    }
  }

  /** False when there is no further attempt and the refused result stands. */
  private boolean waitedAfterRefusal(Failure fault) {
    if (!(course.afterRefusal(fault) instanceof Course.Next.Wait next)) {
      return false;
    }
    return slept(next.delay());
  }

  private void waitAfter(Throwable thrown) throws X {
    if (Course.endsAtOnce(thrown)) {
      if (thrown instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw Sneaky.<X>as(thrown);
    }
    switch (course.afterFailure(thrown)) {
      case Course.Next.Stop stop -> throw Sneaky.<X>as(course.told(thrown, stop.reason()));
      case Course.Next.Wait next -> {
        if (!slept(next.delay())) {
          throw Sneaky.<X>as(course.told(thrown, StopReason.INTERRUPTED));
        }
      }
    }
  }

  /** False when the thread was interrupted; its flag stays set. */
  private boolean slept(Duration delay) {
    if (Thread.currentThread().isInterrupted()) {
      return false;
    }
    if (delay.isZero()) {
      return true;
    }
    try {
      settings.waits().sleep(delay);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
