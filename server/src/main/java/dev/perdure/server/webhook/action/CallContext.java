// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import dev.perdure.engine.task.TraceContext;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The event and the task that an action is called for.
 *
 * @param batch the task's batch and parents, for body templates
 * @param index the index of the action within its trigger
 * @param now the time of the call
 * @param handle the callback URL with its token; null when the callee does not call back
 * @param trace the span of the call
 * @param summary the task as JSON, sent by actions that have no body
 */
public record CallContext(
    WebhookTaskData task,
    BatchData batch,
    ActionTrigger trigger,
    int index,
    Instant now,
    @Nullable String handle,
    TraceContext trace,
    @Nullable String summary) {}
