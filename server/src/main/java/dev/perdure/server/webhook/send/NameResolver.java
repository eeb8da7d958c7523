// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Looks up the addresses of a host name. */
@FunctionalInterface
public interface NameResolver {

  /** All addresses of this name, at least one. */
  List<InetAddress> resolve(String host) throws UnknownHostException;

  /** The resolver of the operating system. */
  static NameResolver system() {
    return host -> List.of(InetAddress.getAllByName(host));
  }
}
