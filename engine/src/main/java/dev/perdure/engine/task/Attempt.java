// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The record of a lease that has ended. It never changes.
 *
 * @param number the attempt it was part of, from 0; a lost attempt is repeated under the same
 *     number
 * @param nextAttemptAt when the next attempt is due; null when there is none
 */
public record Attempt(
    UUID task,
    long epoch,
    long number,
    @Nullable String worker,
    @Nullable Instant startedAt,
    Instant endedAt,
    AttemptDetails details,
    @Nullable Instant nextAttemptAt) {

  /** The delay before the next attempt. */
  public @Nullable Duration delay() {
    return details.delay();
  }
}
