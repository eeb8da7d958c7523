// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.io.IOException;
import java.time.Duration;

/** Too many names are being looked up. */
final class NoRoomException extends IOException {

  private static final long serialVersionUID = 1L;

  private final Duration turn;

  /**
   * Says when to come again.
   *
   * @param turn how long to stay away
   */
  NoRoomException(Duration turn) {
    super("too many names are being looked up");
    this.turn = turn;
  }

  Duration turn() {
    return turn;
  }
}
