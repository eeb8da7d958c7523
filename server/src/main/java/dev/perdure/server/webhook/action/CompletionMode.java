// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import java.util.Locale;

/** How the work that {@code on_start} begins is completed. */
public enum CompletionMode {
  /** The response means that the work has begun; the callee reports the end with its handle. */
  CALLBACK,
  /** The response is the result. */
  RESPONSE;

  /** The value in JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
