// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * What a store is opened with.
 *
 * @param shards how many
 * @param clock for tests; null means the database's own
 * @param poolSize the most connections, when the store has a pool of its own
 * @param statementTimeout how long one statement may take
 * @param retryTimeout how long a failed operation is tried again
 */
public record StoreSettings(
    int shards,
    @Nullable InstantSource clock,
    int poolSize,
    Duration statementTimeout,
    Duration retryTimeout) {

  /** The instant for a statement, or null when the database shall take its own. */
  public @Nullable Instant now() {
    return clock == null ? null : clock.instant();
  }
}
