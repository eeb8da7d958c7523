// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * The right to run one attempt.
 *
 * @param task as it stands after the claim
 * @param previousFailureKind the kind of the failure that this attempt is the retry of, or null
 */
public record Lease(Task task, @Nullable String previousFailureKind) {}
