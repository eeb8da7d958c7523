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
    this(new Course(settings), call);
  }

  SyncCall(Course course, ContextCall<T, X> call) {
    this.settings = course.settings();
    this.call = call;
    this.course = course;
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
        if (isInterrupted(thrown)) {
          permit.canceled();
        } else {
          permit.failed(thrown);
        }
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

  private boolean waitedAfterRefusal(Failure fault) throws X {
    if (Thread.currentThread().isInterrupted()) {
      course.stop(fault, StopReason.INTERRUPTED);
      return false;
    }
    Course.Next end = waited(course.afterRefusal(fault), null);
    if (end instanceof Course.Next.HandOver over) {
      throw Sneaky.<X>as(over.deliver(null));
    }
    return end == null;
  }

  private void waitAfter(Throwable thrown) throws X {
    Course.Next end = course.endFromOutside(thrown, isInterrupted(thrown));
    if (end == null) {
      end = waited(course.afterFailure(thrown), thrown);
    }
    if (end instanceof Course.Next.HandOver over) {
      throw Sneaky.<X>as(over.deliver(thrown));
    }
    if (end instanceof Course.Next.Stop stop) {
      throw Sneaky.<X>as(course.told(thrown, stop.reason()));
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
  private Course.@Nullable Next waited(Course.Next next, @Nullable Throwable thrown) {
    if (!(next instanceof Course.Next.Wait wait)) {
      return next;
    }
    try {
      if (!wait.delay().isZero()) {
        settings.waits().sleep(wait.delay());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error broken) {
      return course.stranded(wait.failure(), thrown, broken);
    }
    return Thread.currentThread().isInterrupted()
        ? course.stop(wait.failure(), StopReason.INTERRUPTED)
        : null;
  }
}
