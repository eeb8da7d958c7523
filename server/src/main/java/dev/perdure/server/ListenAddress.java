// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.policy.FieldError;
import dev.perdure.server.access.SessionCookie;
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
 * The address that the server listens on.
 *
 * @param bind the address as configured
 * @param loopback whether only programs on this machine can reach it
 * @param wildcard whether it means all addresses of the machine, so that clients cannot use it
 */
record ListenAddress(String bind, boolean loopback, boolean wildcard) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?");
  private static final String FALLBACK_HOST = "localhost";

  /**
   * Reads the address from the configuration.
   *
   * @throws InvalidConfigurationException if it cannot be resolved
   */
  static ListenAddress of(Configuration configuration) {
    String bind = configuration.get(Settings.BIND);
    InetAddress address = resolved(bind);
    return new ListenAddress(bind, address.isLoopbackAddress(), address.isAnyLocalAddress());
  }

  /**
   * Checks that the server is not open to other machines without authentication.
   *
   * @param keyRequired whether callers need an API key
   * @throws InvalidConfigurationException if other machines could use the server without a key and
   *     {@code insecure} is not set
   */
  void requireSafe(Configuration configuration, boolean keyRequired) {
    if (!loopback && !keyRequired && !configuration.get(Settings.INSECURE)) {
      throw invalid(
          "%s can be reached from other machines, and there is no API key yet: create one with"
                  .formatted(FieldError.sanitize(bind))
              + " perdure key create NAME --role admin --database, or bind to 127.0.0.1, or add"
              + " --insecure if only trusted machines can reach the port");
    }
  }

  private static InetAddress resolved(String bind) {
    try {
      return InetAddress.getByName(bind);
    } catch (UnknownHostException e) {
      throw invalid("'%s' is not an address of this machine".formatted(FieldError.sanitize(bind)));
    }
  }

  private static InvalidConfigurationException invalid(String message) {
    return new InvalidConfigurationException(
        List.of(new FieldError(Settings.BIND.name(), message)));
  }

  /** The URL that clients use: the configured one, else the address the server listens on. */
  URI publicUrl(Configuration configuration, int port) {
    return configuration
        .get(Settings.HOST_URL)
        .orElseGet(() -> URI.create("http://%s:%d".formatted(host(), port)));
  }

  /** True if no URL is configured and the address is a wildcard: the host name is used then. */
  boolean isPublicUrlGuessed(Configuration configuration) {
    return wildcard && configuration.get(Settings.HOST_URL).isEmpty();
  }

  /** The path in the URL that clients use, without a slash at its end. */
  static String pathPrefix(Configuration configuration) {
    return configuration
        .get(Settings.HOST_URL)
        .map(url -> url.getRawPath().replaceFirst("/$", ""))
        .orElse("");
  }

  /** For clients that may use TLS and a path, which a proxy in front of the server provides. */
  SessionCookie sessionCookie(Configuration configuration) {
    boolean secure =
        configuration
            .get(Settings.HOST_URL)
            .filter(url -> url.getScheme().equalsIgnoreCase("https"))
            .isPresent();
    return new SessionCookie(pathPrefix(configuration) + "/", secure);
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
