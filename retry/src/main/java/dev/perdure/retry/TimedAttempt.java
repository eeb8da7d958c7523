// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One attempt on the caller's thread, with a limit on its time if there is one. */
final class TimedAttempt {

  private TimedAttempt() {}

  static <T extends @Nullable Object, X extends Exception> T run(
      RetryConfig retryConfig, RetryState retryState, ContextCall<T, X> call) throws X {
    Duration limit = retryConfig.limits().attemptTimeout();
    if (limit == null) {
      return call.call(retryState);
    }
    AttemptInterrupter deadline = new AttemptInterrupter(retryConfig.timeProvider(), limit);
    T result;
    try {
      result = call.call(retryState);
    } catch (Throwable thrown) {
      // An Error is no consequence of the interrupt, and must not become something to retry.
      if (deadline.end() && !(thrown instanceof Error)) {
        throw new AttemptTimeoutException(limit, thrown);
      }
      throw SneakyThrow.<X>rethrow(thrown);
    }
    // A result that comes late is still a result.
    deadline.end();
    return result;
  }
}
