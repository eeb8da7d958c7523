// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One attempt on the caller's thread, with a limit on its time if there is one. */
final class TimedAttempt {

  private TimedAttempt() {}

  static <T extends @Nullable Object, X extends Exception> T make(
      Settings settings, Course course, ContextCall<T, X> call) throws X {
    Duration limit = settings.limits().attempt();
    if (limit == null) {
      return call.call(course);
    }
    AttemptDeadline deadline = new AttemptDeadline(settings.waits(), limit);
    T result;
    try {
      result = call.call(course);
    } catch (Throwable thrown) {
      // An Error is no consequence of the interrupt, and must not become something to retry.
      if (deadline.end() && !(thrown instanceof Error)) {
        throw new AttemptTimeoutException(limit, thrown);
      }
      throw Sneaky.<X>as(thrown);
    }
    // A result that comes late is still a result.
    deadline.end();
    return result;
  }
}
