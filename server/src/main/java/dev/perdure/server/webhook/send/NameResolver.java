// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Finds the addresses of a name. */
@FunctionalInterface
public interface NameResolver {

  /** All addresses of this name, at least one. */
  List<InetAddress> resolve(String host) throws UnknownHostException;

  /** What the machine itself would ask. */
  static NameResolver system() {
    return host -> List.of(InetAddress.getAllByName(host));
  }
}
