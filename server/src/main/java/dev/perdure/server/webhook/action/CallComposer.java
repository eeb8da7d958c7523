// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import dev.perdure.server.webhook.guard.WebhookUrl;
import dev.perdure.server.webhook.send.OutgoingCall;
import dev.perdure.server.webhook.sign.WebhookSigner;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the call that an action becomes on an occasion. Pure; safe to share. */
public final class CallComposer {

  /** The query parameter that carries the callback URL. */
  public static final String HANDLE = "handle";

  private static final String TRACE_PARENT = "traceparent";
  private static final String TRACE_STATE = "tracestate";

  /** Headers that only this class sets. */
  static final Set<String> OURS =
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
  public CallComposer(@Nullable WebhookSigner signer) {
    this.signer = signer;
  }

  /**
   * The call to make. Made again for the same event, it differs in its time stamp and span only.
   */
  public OutgoingCall compose(WebhookAction action, Occasion occasion) {
    String body = body(action, occasion);
    WebhookUrl url =
        occasion.handle() == null ? action.url() : action.url().with(HANDLE, occasion.handle());
    Map<String, String> headers = headers(action, occasion, body);
    return new OutgoingCall(action.verb(), url, headers, body, action.timeout());
  }

  private static @Nullable String body(WebhookAction action, Occasion occasion) {
    if (action.body() != null) {
      return action.body().fill(occasion.task());
    }
    boolean summed = occasion.trigger().tellsOfTask() && action.verb().takesBody();
    return summed ? occasion.summary() : null;
  }

  private Map<String, String> headers(
      WebhookAction action, Occasion occasion, @Nullable String body) {
    TaskFacts task = occasion.task();
    String key =
        action.idempotency().key(task.id(), occasion.trigger(), occasion.index(), task.attempt());
    Map<String, String> headers = new LinkedHashMap<>();
    if (!names(action, "user-agent")) {
      headers.put("User-Agent", "Perdure");
    }
    if (body != null && !names(action, "content-type")) {
      headers.put("Content-Type", "application/json");
    }
    headers.putAll(action.headers());
    headers.put("Idempotency-Key", key);
    headers.put("X-Task-Id", task.id().toString());
    headers.put("X-Task-Trigger", occasion.trigger().text());
    headers.put("X-Task-Attempt", Long.toString(task.attempt()));
    headers.put(TRACE_PARENT, occasion.trace().header());
    if (occasion.trace().state() != null) {
      headers.put(TRACE_STATE, occasion.trace().state());
    }
    if (signer != null) {
      headers.putAll(signer.headers(key, occasion.now(), body == null ? "" : body));
    }
    return headers;
  }

  private static boolean names(WebhookAction action, String header) {
    return action.headers().keySet().stream().anyMatch(header::equalsIgnoreCase);
  }
}
