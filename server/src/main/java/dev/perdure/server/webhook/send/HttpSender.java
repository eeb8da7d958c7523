// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

/** Sends webhook requests. Safe to share. */
@FunctionalInterface
public interface HttpSender {

  /**
   * Makes the call on the caller's thread. Nothing that a peer does makes it throw. It does not
   * wait for a free slot. An interrupt ends it early and stays set.
   */
  CallResult send(WebhookRequest call);
}
