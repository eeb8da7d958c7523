// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a lease that ended; never changed afterwards.
 *
 * @param number the attempt it was part of, from 0; after a loss the same number comes again
 * @param details what happened
 * @param nextAttemptAt when the next attempt is due, if there is one
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

  /** The delay the policy chose. */
  public @Nullable Duration delay() {
    return details.delay();
  }
}
