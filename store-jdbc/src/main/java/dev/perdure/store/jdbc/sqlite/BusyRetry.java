// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.task.StoreException;
import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.Failure;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.store.jdbc.sql.InterruptibleSleep;
import java.sql.SQLException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Retries an action while another process, or a caller with its own connection, holds SQLite's
 * write lock. It retries often, because SQLite has no lock queue and the gap between two
 * transactions of a busy writer is short.
 */
final class BusyRetry {

  private static final Duration INITIAL_DELAY = Duration.ofMillis(1);
  private static final Duration MAX_DELAY = Duration.ofMillis(20);

  private final @Nullable RetryPolicy policy;
  private final Duration timeout;
  private final AtomicLong waitCount = new AtomicLong();

  /** Retries for at most this long, and not at all if it is zero. */
  BusyRetry(Duration timeout) {
    this.timeout = timeout;
    this.policy =
        timeout.isZero()
            ? null
            : RetryPolicy.exponential(INITIAL_DELAY)
                .maxDelay(MAX_DELAY)
                .jitter(Jitter.full())
                .unlimitedRetries()
                .expiresAfter(timeout)
                .build();
  }

  /** An action that changes nothing when it fails because the file is busy. */
  @FunctionalInterface
  interface BusyAction<T> {
    T run() throws SQLException;
  }

  <T> T run(BusyAction<T> action) throws SQLException {
    long start = System.nanoTime();
    SplittableRandom random = new SplittableRandom();
    for (long attempt = 0; ; attempt++) {
      try {
        return action.run();
      } catch (SQLException e) {
        if (!SqliteErrors.isBusy(e)) {
          throw e;
        }
        Duration age = Duration.ofNanos(System.nanoTime() - start);
        waitCount.incrementAndGet();
        InterruptibleSleep.sleep(delay(e, attempt, age, random));
      }
    }
  }

  /** Returns how often it has waited. */
  long waitCount() {
    return waitCount.get();
  }

  private Duration delay(SQLException busy, long attempt, Duration age, SplittableRandom random) {
    if (policy != null) {
      DecisionContext context = DecisionContext.attempt(attempt).withAge(age);
      if (policy.decide(context, Failure.exception(busy), random) instanceof Decision.Retry retry) {
        return retry.delay();
      }
    }
    throw new StoreException(
        "the SQLite file has been locked by another writer for more than " + timeout,
        busy,
        StoreException.ErrorKind.UNAVAILABLE);
  }
}
