// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A task's instants, all by the database's clock.
 *
 * @param createdAt when it was submitted
 * @param dueAt when it is or was due
 * @param retrySince when it first became due, or was revived: what the expiry counts from
 * @param startedAt when the attempt under way, or the last one, started
 * @param endedAt when the task ended
 * @param updatedAt when anything last changed
 */
public record TaskTimes(
    Instant createdAt,
    Instant dueAt,
    Instant retrySince,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    Instant updatedAt) {}
