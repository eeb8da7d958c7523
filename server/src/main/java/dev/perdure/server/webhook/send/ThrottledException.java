// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.io.IOException;
import java.time.Duration;

/** Too many name look-ups are in progress. */
final class ThrottledException extends IOException {

  private static final long serialVersionUID = 1L;

  private final Duration retryIn;

  /**
   * @param retryIn how long to wait before the next try
   */
  ThrottledException(Duration retryIn) {
    super("too many name look-ups are in progress");
    this.retryIn = retryIn;
  }

  Duration retryIn() {
    return retryIn;
  }
}
