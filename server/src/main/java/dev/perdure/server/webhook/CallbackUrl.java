// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.server.webhook.handle.Handles;
import java.net.URI;
import java.util.UUID;

/** The URLs under which callees settle what they were called for. Safe to share. */
final class CallbackUrl {

  private final Handles handles;
  private volatile URI base = URI.create("");

  CallbackUrl(Handles handles) {
    this.handles = handles;
  }

  /** From now on the server is found there. */
  void base(URI value) {
    base = value;
  }

  String of(UUID task, long handleEpoch) {
    URI path = base.resolve("/task/" + task);
    return path + "?handle=" + handles.token(task, handleEpoch);
  }
}
