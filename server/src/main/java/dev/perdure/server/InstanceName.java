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
final class InstanceName {

  private InstanceName() {}

  static String of(Configuration configuration, RandomGenerator random) {
    String configured = configuration.get(Settings.INSTANCE_ID);
    return configured.isEmpty()
        ? machine().orElse("node") + "-" + HexFormat.of().toHexDigits((short) random.nextInt())
        : configured;
  }

  /** What the machine calls itself; empty when it does not know. */
  static Optional<String> machine() {
    try {
      return Optional.of(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }
}
