// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Finds the addresses of a name. */
@FunctionalInterface
public interface NameLookup {

  /** All addresses of this name, at least one. */
  List<InetAddress> addresses(String host) throws UnknownHostException;

  /** What the machine itself would ask. */
  static NameLookup system() {
    return host -> List.of(InetAddress.getAllByName(host));
  }
}
