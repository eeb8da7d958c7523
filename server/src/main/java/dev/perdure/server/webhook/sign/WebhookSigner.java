// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.sign;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Signs webhooks according to Standard Webhooks 1.0. It adds a signature for every secret, so that
 * while a secret is being replaced, callees with the old one and callees with the new one can both
 * verify. Immutable, safe to share.
 */
public final class WebhookSigner {

  /** Secrets in use at once, at most. */
  public static final int MAX_SECRETS = 4;

  private static final Pattern SEPARATOR = Pattern.compile("[\\s,]+");

  private final List<SigningSecret> secrets;

  private WebhookSigner(List<SigningSecret> secrets) {
    this.secrets = List.copyOf(secrets);
  }

  /**
   * Parses secrets that are separated by spaces or commas.
   *
   * @throws IllegalArgumentException when a secret is not valid; the message does not repeat it
   */
  public static WebhookSigner of(String text) {
    List<String> words = SEPARATOR.splitAsStream(text).filter(word -> !word.isEmpty()).toList();
    if (words.isEmpty() || words.size() > MAX_SECRETS) {
      throw new IllegalArgumentException(
          "must have 1 to %d secrets, not %d".formatted(MAX_SECRETS, words.size()));
    }
    return new WebhookSigner(words.stream().map(SigningSecret::parse).toList());
  }

  /**
   * The signature headers of a message.
   *
   * @param id the message id, the same each time the message is sent
   * @param now the time of this call
   */
  public Map<String, String> headers(String id, Instant now, String body) {
    if (id.isEmpty() || id.contains(".")) {
      throw new IllegalArgumentException(
          "a message id must not be empty or contain a dot, which separates the signed parts");
    }
    String timestamp = Long.toString(now.getEpochSecond());
    String content = String.join(".", id, timestamp, body);
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("webhook-id", id);
    headers.put("webhook-timestamp", timestamp);
    headers.put(
        "webhook-signature",
        secrets.stream().map(secret -> secret.signature(content)).collect(Collectors.joining(" ")));
    return headers;
  }
}
