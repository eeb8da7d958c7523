// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Limit;
import java.time.Duration;
import java.util.List;
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
 * @param limits limits of the kind on all nodes together
 */
public record HandlerOptions(
    int concurrency,
    Predicate<Throwable> retryIf,
    @Nullable HandlerBackoff backoff,
    List<Limit> limits) {

  /** Chooses the delay before the next attempt; null leaves it to the policy. */
  @FunctionalInterface
  public interface HandlerBackoff {
    @Nullable Duration delayAfter(long attempt, Throwable failure);
  }

  public HandlerOptions {
    if (concurrency < 0) {
      throw new IllegalArgumentException("concurrency: must be 0 or more, not " + concurrency);
    }
    limits = List.copyOf(limits);
    KindLimit.require(limits);
  }

  public static HandlerOptions defaults() {
    return new HandlerOptions(0, failure -> true, null, List.of());
  }

  /** At most this many attempts of the kind at once on this node, 1 or more. */
  public static HandlerOptions concurrency(int value) {
    if (value < 1) {
      throw new IllegalArgumentException("concurrency: must be 1 or more, not " + value);
    }
    return new HandlerOptions(value, failure -> true, null, List.of());
  }

  public HandlerOptions withRetryIf(Predicate<Throwable> value) {
    return new HandlerOptions(concurrency, value, backoff, limits);
  }

  public HandlerOptions withBackoff(HandlerBackoff value) {
    return new HandlerOptions(concurrency, retryIf, value, limits);
  }

  /**
   * Limits the tasks of the kind on all nodes together: a limit on concurrency, a rate, or both.
   * They are stored when the engine starts, and count on all nodes from then on. If an operator has
   * set limits for the kind, those count instead.
   *
   * <pre>{@code
   * HandlerOptions.defaults().withLimits(
   *     Limit.concurrency(2).per("tenant"), Limit.rate(5, Duration.ofSeconds(1)).per("tenant"));
   * }</pre>
   */
  public HandlerOptions withLimits(Limit... values) {
    return new HandlerOptions(concurrency, retryIf, backoff, List.of(values));
  }

  /** A queue has tasks of any kind. */
  void requireNoLimits() {
    if (!limits.isEmpty()) {
      throw new IllegalArgumentException(
          "limits: a limit is about a kind, not about a queue; set it with engine.limits().set");
    }
  }
}
