// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import static dev.perdure.server.webhook.action.BodyTemplate.JSON_TYPE;

import dev.perdure.server.webhook.guard.WebhookUrl;
import dev.perdure.server.webhook.send.WebhookRequest;
import dev.perdure.server.webhook.sign.WebhookSigner;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds the HTTP request of an action for one event. Pure; safe to share. */
public final class RequestComposer {

  /** The query parameter that carries the callback URL. */
  public static final String HANDLE = "handle";

  private static final String TRACE_PARENT = "traceparent";
  private static final String TRACE_STATE = "tracestate";

  /** Headers that only this class sets, in lower case. */
  static final Set<String> RESERVED_HEADERS =
      Set.of(
          "idempotency-key",
          "x-task-id",
          "x-task-trigger",
          "x-task-attempt",
          "x-batch-id",
          "x-batch-run",
          TRACE_PARENT,
          TRACE_STATE,
          "webhook-id",
          "webhook-timestamp",
          "webhook-signature");

  private final @Nullable WebhookSigner signer;

  /**
   * @param signer signs the requests; null when no signing secret is configured
   */
  public RequestComposer(@Nullable WebhookSigner signer) {
    this.signer = signer;
  }

  /** The request. Built again for the same event, it differs only in its time stamp and span. */
  public WebhookRequest compose(WebhookAction action, CallContext context) {
    String body = body(action, context);
    WebhookUrl url =
        context.handle() == null
            ? action.url()
            : action.url().withQueryParameter(HANDLE, context.handle());
    Map<String, String> headers = headers(action, context, body);
    return new WebhookRequest(action.verb(), url, headers, body, action.timeout());
  }

  private static @Nullable String body(WebhookAction action, CallContext context) {
    if (action.body() != null) {
      return action.body().render(context.task(), context.batch());
    }
    return context.trigger().sendsSummary(action.verb()) ? context.summary() : null;
  }

  private Map<String, String> headers(
      WebhookAction action, CallContext context, @Nullable String body) {
    WebhookTaskData task = context.task();
    String key = action.idempotency().key(task, context.trigger(), context.index());
    Map<String, String> headers = new LinkedHashMap<>();
    if (!hasHeader(action, "user-agent")) {
      headers.put("User-Agent", "Perdure");
    }
    if (body != null && !hasHeader(action, "content-type")) {
      headers.put("Content-Type", action.body() == null ? JSON_TYPE : action.body().contentType());
    }
    headers.putAll(action.headers());
    headers.put("Idempotency-Key", key);
    if (task.batch()) {
      headers.put("X-Batch-Id", task.id().toString());
      headers.put("X-Batch-Run", Long.toString(task.attempt()));
    } else {
      headers.put("X-Task-Id", task.id().toString());
      headers.put("X-Task-Attempt", Long.toString(task.attempt()));
    }
    headers.put("X-Task-Trigger", context.trigger().text());
    headers.put(TRACE_PARENT, context.trace().traceparent());
    if (context.trace().state() != null) {
      headers.put(TRACE_STATE, context.trace().state());
    }
    if (signer != null) {
      headers.putAll(signer.headers(key, context.now(), body == null ? "" : body));
    }
    return headers;
  }

  private static boolean hasHeader(WebhookAction action, String header) {
    return action.headers().keySet().stream().anyMatch(header::equalsIgnoreCase);
  }
}
