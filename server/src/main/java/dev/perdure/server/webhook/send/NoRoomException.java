// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.io.IOException;

/** Too many names are being looked up. */
final class NoRoomException extends IOException {

  private static final long serialVersionUID = 1L;

  NoRoomException(String message) {
    super(message);
  }
}
