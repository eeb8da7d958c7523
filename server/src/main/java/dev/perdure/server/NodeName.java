// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The name of this node: the configured one, else the host name and a random suffix. */
final class NodeName {

  private NodeName() {}

  static String of(Configuration configuration, RandomGenerator random) {
    String configured = configuration.get(Settings.INSTANCE_ID);
    return configured.isEmpty()
        ? hostname().orElse("node") + "-" + HexFormat.of().toHexDigits((short) random.nextInt())
        : configured;
  }

  /** The host name of this machine; empty if it cannot be found. */
  static Optional<String> hostname() {
    try {
      return Optional.of(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }
}
