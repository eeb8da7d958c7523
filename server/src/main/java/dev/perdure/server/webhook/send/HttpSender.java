// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

/** Makes outgoing calls. Safe to share. */
@FunctionalInterface
public interface HttpSender {

  /**
   * Makes the call on the caller's thread and says what came of it; nothing that a peer does is
   * thrown. It waits for a slot of the host and then for one of all, for each no longer than the
   * call's timeout, which begins once it has both. An interrupt ends it early and stays set.
   */
  CallResult send(OutgoingCall call);
}
