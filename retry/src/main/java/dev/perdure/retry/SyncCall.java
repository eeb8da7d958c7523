// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import org.jspecify.annotations.Nullable;

/** A call made on the caller's own thread. */
final class SyncCall<T extends @Nullable Object, X extends Exception> {

  private final Settings settings;
  private final ContextCall<T, X> call;
  private final Course course;

  SyncCall(Settings settings, ContextCall<T, X> call) {
    this.settings = settings;
    this.call = call;
    this.course = new Course(settings);
  }

  T run() throws X {
    course.depart();
    return attempts();
  }

  /** Goes on after a first attempt that failed before anybody kept count. */
  T runAfter(Throwable firstFailure) throws X {
    course.beginAttempt();
    waitAfter(firstFailure);
    return attempts();
  }

  private T attempts() throws X {
    while (true) {
      course.beginAttempt();
      Permit permit = Permit.NONE;
      T result;
      try {
        permit = Permit.ask(settings);
        result = TimedAttempt.make(settings, course, call);
      } catch (Throwable thrown) {
        permit.failed(thrown);
        waitAfter(thrown);
        continue;
      }
      if (stands(result, permit)) {
        return result;
      }
    }
  }

  /** True when the result is the answer: a good one, or the last one. */
  private boolean stands(T result, Permit permit) throws X {
    Failure fault;
    try {
      fault = settings.faultOf(result);
    } catch (Throwable broken) {
      permit.succeeded();
      Course.Next.Stop stop = course.broken(Failure.exception(broken), null, broken);
      throw Sneaky.<X>as(course.told(broken, stop.reason()));
    }
    if (fault == null) {
      permit.succeeded();
      course.tellSuccess();
      return true;
    }
    permit.refused(fault);
    return !waitedAfterRefusal(fault);
  }

  private boolean waitedAfterRefusal(Failure fault) {
    if (Thread.currentThread().isInterrupted()) {
      course.stop(fault, StopReason.INTERRUPTED);
      return false;
    }
    return course.afterRefusal(fault) instanceof Course.Next.Wait next
        && waited(next, null) == null;
  }

  private void waitAfter(Throwable thrown) throws X {
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    // Also what an interrupt made of an attempt, such as a ClosedByInterruptException.
    boolean interrupted = Thread.currentThread().isInterrupted();
    Course.Next.Stop end = course.endFromOutside(thrown, interrupted);
    if (end == null) {
      end =
          switch (course.afterFailure(thrown)) {
            case Course.Next.Stop stop -> stop;
            case Course.Next.Wait next -> waited(next, thrown);
          };
    }
    if (end != null) {
      throw Sneaky.<X>as(course.told(thrown, end.reason()));
    }
  }

  /** Null when the wait is over and the next attempt may go. The thread's flag stays set. */
  private Course.Next.@Nullable Stop waited(Course.Next.Wait next, @Nullable Throwable thrown) {
    try {
      if (!next.delay().isZero()) {
        settings.waits().sleep(next.delay());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException broken) {
      return course.broken(next.failure(), thrown, broken);
    }
    return Thread.currentThread().isInterrupted()
        ? course.stop(next.failure(), StopReason.INTERRUPTED)
        : null;
  }
}
