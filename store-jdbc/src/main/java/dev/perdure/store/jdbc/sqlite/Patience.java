// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.store.StoreException;
import dev.perdure.policy.Decision;
import dev.perdure.policy.Facts;
import dev.perdure.policy.Failure;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.store.jdbc.sql.Pause;
import java.sql.SQLException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Waits out whoever else writes to the file: another process, or a caller on a connection of his
 * own. Looks often, since SQLite has no queue and the gap between two transactions of a busy writer
 * is short.
 */
final class Patience {

  private static final Duration FIRST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofMillis(20);

  private final @Nullable RetryPolicy policy;
  private final Duration limit;
  private final AtomicLong waits = new AtomicLong();

  /** Waits at most this long; not at all when it is zero. */
  Patience(Duration limit) {
    this.limit = limit;
    this.policy =
        limit.isZero()
            ? null
            : RetryPolicy.exponential(FIRST)
                .maxDelay(LONGEST)
                .jitter(Jitter.full())
                .unlimitedRetries()
                .expiresAfter(limit)
                .build();
  }

  /** A step that changes nothing when it fails because the file is busy. */
  @FunctionalInterface
  interface Step<T> {
    T run() throws SQLException;
  }

  <T> T wait(Step<T> step) throws SQLException {
    long since = System.nanoTime();
    SplittableRandom random = new SplittableRandom();
    for (long attempt = 0; ; attempt++) {
      try {
        return step.run();
      } catch (SQLException e) {
        if (!SqliteFailures.isBusy(e)) {
          throw e;
        }
        Duration age = Duration.ofNanos(System.nanoTime() - since);
        waits.incrementAndGet();
        Pause.of(delay(e, attempt, age, random));
      }
    }
  }

  /** How often it has waited. */
  long waits() {
    return waits.get();
  }

  private Duration delay(SQLException busy, long attempt, Duration age, SplittableRandom random) {
    if (policy != null) {
      Facts facts = Facts.attempt(attempt).withAge(age);
      if (policy.decide(facts, Failure.exception(busy), random) instanceof Decision.Retry retry) {
        return retry.delay();
      }
    }
    throw new StoreException(
        "somebody else has been writing to the file for more than " + limit,
        busy,
        StoreException.Sort.UNAVAILABLE);
  }
}
