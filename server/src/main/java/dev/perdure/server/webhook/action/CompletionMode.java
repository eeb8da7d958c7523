// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import java.util.Locale;

/** How the work that a start webhook begins comes to its end. */
public enum CompletionMode {
  /** The callee reports on its handle; the answer only says that it began. */
  CALLBACK,
  /** The answer is the result. */
  RESPONSE;

  /** The word for it in JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
