// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The task's data that a body template can use.
 *
 * @param status as the API writes it, such as {@code RetryPending}
 * @param attempt the attempt that the event is about, numbered from 0
 */
public record WebhookTaskData(
    UUID id, String status, long attempt, @Nullable String failureReason) {}
