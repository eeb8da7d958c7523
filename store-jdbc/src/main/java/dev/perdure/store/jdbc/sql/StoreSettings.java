// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a store.
 *
 * @param shards number of shards
 * @param clock the clock of a test, or null for the database's clock
 * @param poolSize maximum number of connections, if the store creates its own pool
 * @param statementTimeout maximum duration of one statement
 * @param retryTimeout how long the store retries an operation after a transient error
 */
public record StoreSettings(
    int shards,
    @Nullable InstantSource clock,
    int poolSize,
    Duration statementTimeout,
    Duration retryTimeout) {

  /**
   * Returns the instant to pass to a statement, or null if the statement reads the database's
   * clock.
   */
  public @Nullable Instant now() {
    return clock == null ? null : clock.instant();
  }
}
