// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.io.IOException;

/** The address guard refused a connection. */
final class AddressRefusedException extends IOException {

  AddressRefusedException(String reason) {
    super(reason);
  }
}
