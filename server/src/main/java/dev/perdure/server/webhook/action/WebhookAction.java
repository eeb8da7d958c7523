// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import dev.perdure.server.webhook.guard.WebhookUrl;
import dev.perdure.server.webhook.send.HttpMethod;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A webhook of a task.
 *
 * @param body null when the action has none
 * @param headers the submitted headers by name
 * @param completion used by {@code on_start} only
 */
public record WebhookAction(
    WebhookUrl url,
    HttpMethod verb,
    @Nullable BodyTemplate body,
    Map<String, String> headers,
    Duration timeout,
    CompletionMode completion,
    IdempotencyScope idempotency) {

  public WebhookAction {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  /** Without headers and body, which may contain secrets. */
  @Override
  public String toString() {
    return verb.text() + " " + url;
  }
}
