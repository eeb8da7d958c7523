// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.io.IOException;

/** The guard let nobody connect there. */
final class AddressRefusedException extends IOException {

  AddressRefusedException(String why) {
    super(why);
  }
}
