// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Runs one attempt on the caller's thread, with the attempt timeout if there is one. */
final class TimedAttempt {

  private TimedAttempt() {}

  static <T extends @Nullable Object, X extends Exception> T run(
      RetryConfig config, RetryState state, ContextCall<T, X> call) throws X {
    Duration limit = config.attemptTimeout();
    if (limit == null) {
      return call.call(state);
    }
    AttemptInterrupter interrupter = new AttemptInterrupter(config.timeProvider(), limit);
    T result;
    try {
      result = call.call(state);
    } catch (Throwable thrown) {
      // An Error does not come from the interrupt, and must not become retryable.
      if (interrupter.end() && !(thrown instanceof Error)) {
        throw new AttemptTimeoutException(limit, thrown);
      }
      throw SneakyThrow.<X>rethrow(thrown);
    }
    // A late result is still a result.
    interrupter.end();
    return result;
  }
}
