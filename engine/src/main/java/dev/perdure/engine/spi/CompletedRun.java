// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run of a batch all of whose tasks have ended, to decide about.
 *
 * @param version which state of the run was read; see {@link RunDecision}
 * @param firstStartedAt when the first run started: the expiry of the policy counts from there
 * @param previousDelay the delay before this run; null for the first
 * @param stopped true when an operator stopped the batch: then there is no further run
 * @param failed the task that failed first, not counting those that failed because of others; null
 *     when none did. If all failed because of others, and a live task that took the place of one
 *     did not succeed, the first that failed: another run can help
 * @param failure how that task, or the live one, failed; null when no attempt of it did, as when
 *     its deadline passed
 * @param deadline the earliest deadline of its tasks, which the next run has too; null when none
 *     has one
 * @param last one of its tasks, for deliveries
 * @param now the database's clock at the read
 */
public record CompletedRun(
    UUID batch,
    int run,
    int version,
    BatchDefinition definition,
    Instant firstStartedAt,
    @Nullable Duration previousDelay,
    boolean stopped,
    BatchOutcome outcome,
    @Nullable Task failed,
    @Nullable AttemptDetails failure,
    @Nullable Instant deadline,
    UUID last,
    Instant now) {}
