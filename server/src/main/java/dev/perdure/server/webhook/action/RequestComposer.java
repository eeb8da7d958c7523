// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import dev.perdure.server.webhook.guard.WebhookUrl;
import dev.perdure.server.webhook.send.WebhookRequest;
import dev.perdure.server.webhook.sign.WebhookSigner;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the call that an action becomes on an occasion. Pure; safe to share. */
public final class RequestComposer {

  /** The query parameter that carries the callback URL. */
  public static final String HANDLE = "handle";

  private static final String TRACE_PARENT = "traceparent";
  private static final String TRACE_STATE = "tracestate";

  /** Headers that only this class sets. */
  static final Set<String> RESERVED_HEADERS =
      Set.of(
          "idempotency-key",
          "x-task-id",
          "x-task-trigger",
          "x-task-attempt",
          TRACE_PARENT,
          TRACE_STATE,
          "webhook-id",
          "webhook-timestamp",
          "webhook-signature");

  private final @Nullable WebhookSigner signer;

  /**
   * Composes calls.
   *
   * @param signer signs them; null when there is no secret
   */
  public RequestComposer(@Nullable WebhookSigner signer) {
    this.signer = signer;
  }

  /**
   * The call to make. Made again for the same event, it differs in its time stamp and span only.
   */
  public WebhookRequest compose(WebhookAction action, CallContext callContext) {
    String body = body(action, callContext);
    WebhookUrl url =
        callContext.handle() == null
            ? action.url()
            : action.url().withQueryParameter(HANDLE, callContext.handle());
    Map<String, String> headers = headers(action, callContext, body);
    return new WebhookRequest(action.verb(), url, headers, body, action.timeout());
  }

  private static @Nullable String body(WebhookAction action, CallContext callContext) {
    if (action.body() != null) {
      return action.body().render(callContext.task());
    }
    boolean summed = callContext.trigger().sendsSummary() && action.verb().takesBody();
    return summed ? callContext.summary() : null;
  }

  private Map<String, String> headers(
      WebhookAction action, CallContext callContext, @Nullable String body) {
    WebhookTaskData task = callContext.task();
    String key =
        action
            .idempotency()
            .key(task.id(), callContext.trigger(), callContext.index(), task.attempt());
    Map<String, String> headers = new LinkedHashMap<>();
    if (!hasHeader(action, "user-agent")) {
      headers.put("User-Agent", "Perdure");
    }
    if (body != null && !hasHeader(action, "content-type")) {
      headers.put("Content-Type", "application/json");
    }
    headers.putAll(action.headers());
    headers.put("Idempotency-Key", key);
    headers.put("X-Task-Id", task.id().toString());
    headers.put("X-Task-Trigger", callContext.trigger().text());
    headers.put("X-Task-Attempt", Long.toString(task.attempt()));
    headers.put(TRACE_PARENT, callContext.trace().traceparent());
    if (callContext.trace().state() != null) {
      headers.put(TRACE_STATE, callContext.trace().state());
    }
    if (signer != null) {
      headers.putAll(signer.headers(key, callContext.now(), body == null ? "" : body));
    }
    return headers;
  }

  private static boolean hasHeader(WebhookAction action, String header) {
    return action.headers().keySet().stream().anyMatch(header::equalsIgnoreCase);
  }
}
