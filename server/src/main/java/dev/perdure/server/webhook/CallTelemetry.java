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
 * The clocks, the listener and the tracing of webhook calls.
 *
 * @param clock time stamps of signatures
 * @param monotonic elapsed time, which never goes back
 * @param listener notified of each {@code on_start} call; the engine notifies it of deliveries
 * @param tracing records a span for each call
 */
public record CallTelemetry(
    InstantSource clock, Supplier<Duration> monotonic, EngineListener listener, Tracing tracing) {

  /** Starts the span of a call, as a child of {@code cause}. */
  CallSpan startSpan(TraceContext cause, UUID task, String trigger, WebhookAction action) {
    WebhookUrl url = action.url();
    return tracing.startCall(
        cause, new Tracing.Call(task, trigger, action.verb().name(), url.host(), url.port()));
  }

  /** Ends the span of a call. A throttled call was never made and records nothing. */
  void endSpan(CallSpan span, CallResult result) {
    if (!(result instanceof CallResult.Throttled)) {
      int status =
          result instanceof CallResult.Responded responded ? responded.status() : NO_STATUS;
      span.end(status, result.failure());
    }
  }
}
