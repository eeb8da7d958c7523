// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A task's instants, all by the database's clock.
 *
 * @param createdAt when it was submitted
 * @param dueAt when it is or was due
 * @param retrySince when it first became due, or was revived: the expiry counts from here
 * @param startedAt when the current or last attempt started
 * @param endedAt when the task ended
 * @param updatedAt the last change
 */
public record TaskTimes(
    Instant createdAt,
    Instant dueAt,
    Instant retrySince,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    Instant updatedAt) {}
