// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import dev.perdure.server.webhook.guard.WebhookUrl;
import dev.perdure.server.webhook.sign.WebhookSigner;
import org.jspecify.annotations.Nullable;

/**
 * A channel as the operator has configured it. Only its name and type may be shown.
 *
 * @param url where messages are sent; that of Telegram contains the token
 * @param chat the chat of Telegram; null for other types
 * @param signer signs the messages of a webhook; null without a secret
 */
public record Channel(
    String name,
    ChannelType type,
    WebhookUrl url,
    @Nullable String chat,
    @Nullable WebhookSigner signer) {

  @Override
  public String toString() {
    return name + " (" + type.text() + ")";
  }
}
