// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.HandOverTarget;
import org.jspecify.annotations.Nullable;

/**
 * To whom a call goes on, and when.
 *
 * @param maxInProcessRetries how many retries the process makes at most
 * @param idempotencyKey the idempotency key; null for one that is made up for each call
 */
record HandOverPlan(
    HandOverTarget target, String kind, int maxInProcessRetries, @Nullable String idempotencyKey) {}
