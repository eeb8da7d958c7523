// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.policy.Problem;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.InvalidConfigurationException;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.OwnNames;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Where to listen, and what that means for who may come in.
 *
 * @param bind the address as it was configured
 * @param loopback whether only programs on this machine can reach it
 */
record Address(String bind, boolean loopback) {

  /**
   * The configured one.
   *
   * @throws InvalidConfigurationException when it is none, or open to others although nobody wanted
   *     that
   */
  static Address of(Configuration configuration) {
    String bind = configuration.get(Settings.BIND);
    Address address = new Address(bind, resolved(bind).isLoopbackAddress());
    if (!address.loopback && !configuration.get(Settings.INSECURE)) {
      throw wrong(
          "%s can be reached from other machines, and the server asks nobody for a key: bind"
                  .formatted(Problem.quotable(bind))
              + " 127.0.0.1, or add --insecure where only trusted machines can reach the port");
    }
    return address;
  }

  private static InetAddress resolved(String bind) {
    try {
      return InetAddress.getByName(bind);
    } catch (UnknownHostException e) {
      throw wrong("'%s' is no address of this machine".formatted(Problem.quotable(bind)));
    }
  }

  private static InvalidConfigurationException wrong(String message) {
    return new InvalidConfigurationException(List.of(new Problem(Settings.BIND.name(), message)));
  }

  /** Where clients find it: as configured, else as it listens. */
  URI url(Configuration configuration, int port) {
    String host = bind.contains(":") ? "[" + bind + "]" : bind;
    return configuration
        .get(Settings.HOST_URL)
        .orElseGet(() -> URI.create("http://%s:%d".formatted(host, port)));
  }

  OwnNames names(Configuration configuration) {
    return new OwnNames(url(configuration, configuration.get(Settings.PORT)), !loopback);
  }
}
