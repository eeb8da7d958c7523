// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * The right to run one attempt.
 *
 * @param task the task after the claim
 * @param previousFailureKind the kind of the failure that this attempt retries; null when it is no
 *     retry
 * @param hasParents whether the task depends on others; a store may leave it false in claims of
 *     nodes
 */
public record Lease(Task task, @Nullable String previousFailureKind, boolean hasParents) {}
