// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.policy.FieldError;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.InvalidConfigurationException;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.HostOriginCheck;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where to listen, and what that means for who may come in.
 *
 * @param bind the address as it was configured
 * @param loopback whether only programs on this machine can reach it
 * @param wildcard whether it stands for all addresses of the machine, and so for none of them
 */
record ListenAddress(String bind, boolean loopback, boolean wildcard) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?");
  private static final String FALLBACK_HOST = "localhost";

  /**
   * The configured one.
   *
   * @throws InvalidConfigurationException when it is none
   */
  static ListenAddress of(Configuration configuration) {
    String bind = configuration.get(Settings.BIND);
    InetAddress address = resolved(bind);
    return new ListenAddress(bind, address.isLoopbackAddress(), address.isAnyLocalAddress());
  }

  /**
   * Goes on only when nobody can come in whom nobody let.
   *
   * @param keys whether callers are asked for keys
   * @throws InvalidConfigurationException when it is open to others although nobody wanted that
   */
  void requireSafe(Configuration configuration, boolean keys) {
    if (!loopback && !keys && !configuration.get(Settings.INSECURE)) {
      throw wrong(
          "%s can be reached from other machines, and there is no key yet: make one with"
                  .formatted(FieldError.sanitize(bind))
              + " perdure key create NAME --role admin --database, or bind 127.0.0.1, or add"
              + " --insecure where only trusted machines can reach the port");
    }
  }

  private static InetAddress resolved(String bind) {
    try {
      return InetAddress.getByName(bind);
    } catch (UnknownHostException e) {
      throw wrong("'%s' is no address of this machine".formatted(FieldError.sanitize(bind)));
    }
  }

  private static InvalidConfigurationException wrong(String message) {
    return new InvalidConfigurationException(
        List.of(new FieldError(Settings.BIND.name(), message)));
  }

  /** Where clients find it: as configured, else as it listens. */
  URI publicUrl(Configuration configuration, int port) {
    return configuration
        .get(Settings.HOST_URL)
        .orElseGet(() -> URI.create("http://%s:%d".formatted(host(), port)));
  }

  /** True when nobody said where clients find it and where it listens does not tell. */
  boolean isPublicUrlGuessed(Configuration configuration) {
    return wildcard && configuration.get(Settings.HOST_URL).isEmpty();
  }

  private String host() {
    if (wildcard) {
      return NodeName.hostname().filter(NAME.asMatchPredicate()).orElse(FALLBACK_HOST);
    }
    return bind.contains(":") ? "[" + bind + "]" : bind;
  }

  HostOriginCheck hostOriginCheck(Configuration configuration) {
    return new HostOriginCheck(
        publicUrl(configuration, configuration.get(Settings.PORT)), !loopback);
  }
}
