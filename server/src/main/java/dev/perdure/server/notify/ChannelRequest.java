// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import dev.perdure.server.webhook.send.HttpMethod;
import dev.perdure.server.webhook.send.WebhookRequest;
import dev.perdure.server.webhook.sign.WebhookSigner;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Builds the HTTP request of a message, as the service of the channel wants it. */
final class ChannelRequest {

  static final Duration TIMEOUT = Duration.ofSeconds(10);

  private ChannelRequest() {}

  /**
   * The request.
   *
   * @param id the same each time the message is sent
   * @param more further fields for a webhook, such as the id of the task
   */
  static WebhookRequest of(Channel channel, String id, String text, ObjectNode more, Instant now) {
    String body =
        switch (channel.type()) {
          case TELEGRAM -> telegram(channel, text);
          case SLACK -> slack(text);
          case WEBHOOK -> webhook(channel, text, more);
        };
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("User-Agent", "Perdure");
    headers.put("Content-Type", "application/json");
    if (channel.type() == ChannelType.WEBHOOK) {
      headers.put("Idempotency-Key", id);
      WebhookSigner signer = channel.signer();
      if (signer != null) {
        headers.putAll(signer.headers(id, now, body));
      }
    }
    return new WebhookRequest(HttpMethod.POST, channel.url(), headers, body, TIMEOUT);
  }

  /** Plain text, so that nothing in it is read as markup. */
  private static String telegram(Channel channel, String text) {
    ObjectNode json =
        JsonNodeFactory.instance.objectNode().put("chat_id", channel.chat()).put("text", text);
    json.putObject("link_preview_options").put("is_disabled", true);
    return json.toString();
  }

  /** Escaped, so that nothing in it is read as a mention or a link. */
  private static String slack(String text) {
    String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    return JsonNodeFactory.instance
        .objectNode()
        .put("text", escaped)
        .put("unfurl_links", false)
        .put("unfurl_media", false)
        .toString();
  }

  private static String webhook(Channel channel, String text, ObjectNode more) {
    ObjectNode json =
        JsonNodeFactory.instance.objectNode().put("channel", channel.name()).put("text", text);
    json.setAll(more);
    return json.toString();
  }
}
