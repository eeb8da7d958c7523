// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Options of a handler.
 *
 * @param concurrency how many attempts of this kind or queue run at once on this node; 0 means as
 *     many as the node has slots
 * @param retryIf false for exceptions that must not be retried, whatever the policy says; it sees
 *     the exception without the wrappers of futures
 * @param backoff chooses the delay before the next attempt; when it is null or returns null, the
 *     policy does
 */
public record HandlerOptions(
    int concurrency, Predicate<Throwable> retryIf, @Nullable HandlerBackoff backoff) {

  /** Chooses the delay before the next attempt; null leaves it to the policy. */
  @FunctionalInterface
  public interface HandlerBackoff {
    @Nullable Duration delayAfter(long attempt, Throwable failure);
  }

  public HandlerOptions {
    if (concurrency < 0) {
      throw new IllegalArgumentException("concurrency: must be 0 or more, not " + concurrency);
    }
  }

  public static HandlerOptions defaults() {
    return new HandlerOptions(0, failure -> true, null);
  }

  /** At most this many attempts of the kind at once on this node, 1 or more. */
  public static HandlerOptions concurrency(int value) {
    if (value < 1) {
      throw new IllegalArgumentException("concurrency: must be 1 or more, not " + value);
    }
    return new HandlerOptions(value, failure -> true, null);
  }

  public HandlerOptions withRetryIf(Predicate<Throwable> value) {
    return new HandlerOptions(concurrency, value, backoff);
  }

  public HandlerOptions withBackoff(HandlerBackoff value) {
    return new HandlerOptions(concurrency, retryIf, value);
  }
}
