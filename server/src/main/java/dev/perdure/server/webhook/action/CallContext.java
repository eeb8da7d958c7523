// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import dev.perdure.engine.task.TraceContext;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Why an action is carried out now.
 *
 * @param index the place of the action among those of its trigger
 * @param now when the call is made
 * @param handle the callback URL with its token; null when nobody is to call back
 * @param trace the span of the call
 * @param summary the task as JSON, for actions without a body of their own
 */
public record CallContext(
    WebhookTaskData task,
    Trigger trigger,
    int index,
    Instant now,
    @Nullable String handle,
    TraceContext trace,
    @Nullable String summary) {}
