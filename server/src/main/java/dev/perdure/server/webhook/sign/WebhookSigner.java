// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.sign;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Signs calls as Standard Webhooks 1.0 wants it, with every secret it has: while a secret is being
 * replaced, callees that know the old one and callees that know the new one both find theirs.
 * Immutable, safe to share.
 */
public final class WebhookSigner {

  /** The most secrets at once. */
  public static final int MAX_SECRETS = 4;

  private static final Pattern SEPARATOR = Pattern.compile("[\\s,]+");

  private final List<SigningSecret> secrets;

  private WebhookSigner(List<SigningSecret> secrets) {
    this.secrets = List.copyOf(secrets);
  }

  /**
   * Signs with the secrets of this text, which stand between spaces or commas.
   *
   * @throws IllegalArgumentException when one is wrong; the message says which, and does not repeat
   *     it
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
   * The headers that prove the call.
   *
   * @param id the same each time this message is sent
   * @param now when it is sent this time
   */
  public Map<String, String> headers(String id, Instant now, String body) {
    if (id.isEmpty() || id.contains(".")) {
      throw new IllegalArgumentException(
          "a message id has no dot, as the signed text is cut there");
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
