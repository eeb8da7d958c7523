// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.io.IOException;
import java.time.Duration;

/** Too many names are being looked up. */
final class ThrottledException extends IOException {

  private static final long serialVersionUID = 1L;

  private final Duration retryIn;

  /**
   * Says when to come again.
   *
   * @param turn how long to stay away
   */
  ThrottledException(Duration turn) {
    super("too many names are being looked up");
    this.retryIn = turn;
  }

  Duration retryIn() {
    return retryIn;
  }
}
