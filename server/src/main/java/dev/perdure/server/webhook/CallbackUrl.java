// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.server.access.HandleTokens;
import java.net.URI;
import java.util.UUID;

/** Builds the callback URLs with which callees settle their attempts. Safe to share. */
final class CallbackUrl {

  private final HandleTokens tokens;
  private volatile URI baseUrl = URI.create("");

  CallbackUrl(HandleTokens tokens) {
    this.tokens = tokens;
  }

  void setBaseUrl(URI value) {
    baseUrl = value;
  }

  String of(UUID task, long handleEpoch) {
    String base = baseUrl.toString().replaceFirst("/$", "");
    return base + "/task/" + task + "?handle=" + tokens.issue(task, handleEpoch);
  }
}
