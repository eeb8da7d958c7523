// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.HandOverTarget;
import org.jspecify.annotations.Nullable;

/**
 * When a call is handed over, and to which target.
 *
 * @param maxInProcessRetries the maximum number of retries in process
 * @param idempotencyKey the idempotency key; null for a random one per call
 */
record HandOverPlan(
    HandOverTarget target, String kind, int maxInProcessRetries, @Nullable String idempotencyKey) {}
