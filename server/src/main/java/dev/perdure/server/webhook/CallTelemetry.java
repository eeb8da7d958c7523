// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static dev.perdure.policy.Failure.NO_STATUS;

import dev.perdure.engine.EngineListener;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.server.trace.CallSpan;
import dev.perdure.server.trace.Tracing;
import dev.perdure.server.webhook.action.WebhookAction;
import dev.perdure.server.webhook.guard.WebhookUrl;
import dev.perdure.server.webhook.send.CallResult;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * How calls are timed, and who is told of them.
 *
 * @param clock stamps signatures
 * @param monotonic time that never goes back
 * @param listener is told of each start; the engine tells it of deliveries
 * @param tracing records each call
 */
public record CallTelemetry(
    InstantSource clock, Supplier<Duration> monotonic, EngineListener listener, Tracing tracing) {

  /** An action is about to be carried out, caused by what has this place in a trace. */
  CallSpan startSpan(TraceContext cause, UUID task, String trigger, WebhookAction action) {
    WebhookUrl url = action.url();
    return tracing.startCall(
        cause, new Tracing.Call(task, trigger, action.verb().name(), url.host(), url.port()));
  }

  /** It was carried out, unless there was no room for it. */
  void endSpan(CallSpan span, CallResult result) {
    if (!(result instanceof CallResult.Throttled)) {
      int status =
          result instanceof CallResult.Responded responded ? responded.status() : NO_STATUS;
      span.end(status, result.failure());
    }
  }
}
