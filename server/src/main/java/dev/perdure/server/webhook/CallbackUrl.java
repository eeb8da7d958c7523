// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.server.access.HandleTokens;
import java.net.URI;
import java.util.UUID;

/** The URLs under which callees settle what they were called for. Safe to share. */
final class CallbackUrl {

  private final HandleTokens handleTokens;
  private volatile URI baseUrl = URI.create("");

  CallbackUrl(HandleTokens handleTokens) {
    this.handleTokens = handleTokens;
  }

  /** From now on the server is found there. */
  void setBaseUrl(URI value) {
    baseUrl = value;
  }

  String of(UUID task, long handleEpoch) {
    URI path = baseUrl.resolve("/task/" + task);
    return path + "?handle=" + handleTokens.issue(task, handleEpoch);
  }
}
