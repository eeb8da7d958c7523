// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import dev.perdure.server.webhook.guard.WebhookUrl;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP request of a webhook.
 *
 * @param headers by name, in the order in which they are sent
 * @param body sent as UTF-8; null for none
 * @param timeout limits the whole call, from the name look-up to the last byte read
 */
public record WebhookRequest(
    HttpMethod verb,
    WebhookUrl url,
    Map<String, String> headers,
    @Nullable String body,
    Duration timeout) {

  public WebhookRequest {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    headers.forEach(WebhookRequest::check);
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout must be more than 0, not " + timeout);
    }
    if (body != null && !verb.takesBody()) {
      throw new IllegalArgumentException("a Get request cannot have a body");
    }
  }

  private static void check(String name, String value) {
    Optional<String> wrong =
        HeaderValidator.problemOfName(name).or(() -> HeaderValidator.problemOfValue(value));
    wrong.ifPresent(
        problem -> {
          throw new IllegalArgumentException("header %s %s".formatted(name, problem));
        });
  }

  /** Without headers and body, which may contain secrets. */
  @Override
  public String toString() {
    return verb.text() + " " + url;
  }
}
