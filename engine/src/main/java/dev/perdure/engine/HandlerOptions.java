// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is special about one kind of task.
 *
 * @param concurrency how many run at once on this node; 0 means as many as the node has slots
 * @param retryIf false for what must not be retried, whatever the policy says; it is asked about
 *     what the policy sees, without the wrappings of futures
 * @param backoff the delay before the next attempt; null from it, or no function, means the
 *     policy's
 */
public record HandlerOptions(
    int concurrency, Predicate<Throwable> retryIf, @Nullable HandlerBackoff backoff) {

  /** The delay before the next attempt, or null to leave it to the policy. */
  @FunctionalInterface
  public interface HandlerBackoff {
    @Nullable Duration delayAfter(long attempt, Throwable failure);
  }

  public HandlerOptions {
    if (concurrency < 0) {
      throw new IllegalArgumentException("concurrency must be 0 or more, not " + concurrency);
    }
  }

  public static HandlerOptions defaults() {
    return new HandlerOptions(0, failure -> true, null);
  }

  /** At most so many of this kind at once on this node, 1 or more. */
  public static HandlerOptions concurrency(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("concurrency must be 1 or more, not " + most);
    }
    return new HandlerOptions(most, failure -> true, null);
  }

  public HandlerOptions withRetryIf(Predicate<Throwable> value) {
    return new HandlerOptions(concurrency, value, backoff);
  }

  public HandlerOptions withBackoff(HandlerBackoff value) {
    return new HandlerOptions(concurrency, retryIf, value);
  }
}
