// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The node's name: as configured, else the machine's with a random ending. */
final class NodeName {

  private NodeName() {}

  static String of(Configuration configuration, RandomGenerator random) {
    String configured = configuration.get(Settings.INSTANCE_ID);
    return configured.isEmpty()
        ? hostname().orElse("node") + "-" + HexFormat.of().toHexDigits((short) random.nextInt())
        : configured;
  }

  /** What the machine calls itself; empty when it does not know. */
  static Optional<String> hostname() {
    try {
      return Optional.of(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }
}
