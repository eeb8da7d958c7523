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
 * One HTTP call to make.
 *
 * @param headers by name, in the order they are sent
 * @param body what is sent as UTF-8; null for none
 * @param timeout what the call may take in all, from the look-up of the name to the last byte read
 */
public record WebhookRequest(
    Verb verb,
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
      throw new IllegalArgumentException("a Get has no body");
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

  /** Without headers and body, which may hold secrets. */
  @Override
  public String toString() {
    return verb.text() + " " + url;
  }
}
