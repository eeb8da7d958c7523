// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * The right to run one attempt.
 *
 * @param task the task after the claim
 * @param previousFailureKind the kind of the failure that this attempt retries; null when it is no
 *     retry
 */
public record Lease(Task task, @Nullable String previousFailureKind) {}
