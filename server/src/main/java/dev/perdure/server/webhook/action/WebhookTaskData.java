// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a webhook may tell of its task.
 *
 * @param status as the API writes it, such as {@code RetryPending}
 * @param attempt the attempt that this is about, numbered from 0
 */
public record WebhookTaskData(
    UUID id, String status, long attempt, @Nullable String failureReason) {}
