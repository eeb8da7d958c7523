// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

/** Makes outgoing calls. Safe to share. */
@FunctionalInterface
public interface HttpSender {

  /**
   * Makes the call on the caller's thread and says what came of it; nothing that a peer does is
   * thrown. It does not wait until there is room for it. An interrupt ends it early and stays set.
   */
  CallResult send(WebhookRequest call);
}
