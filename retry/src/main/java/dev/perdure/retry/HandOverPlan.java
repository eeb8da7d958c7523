// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Successor;
import org.jspecify.annotations.Nullable;

/**
 * To whom a call goes on, and when.
 *
 * @param inProcessRetries how many retries the process makes at most
 * @param key the idempotency key; null for one that is made up for each call
 */
record HandOverPlan(Successor successor, String kind, int inProcessRetries, @Nullable String key) {}
