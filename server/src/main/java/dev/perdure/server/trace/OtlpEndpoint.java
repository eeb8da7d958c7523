// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import dev.perdure.policy.FieldError;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.InvalidConfigurationException;
import dev.perdure.server.config.Setting;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The OpenTelemetry collector that spans are sent to. The operator configures it, so it may have
 * any address: {@code webhook_allow} does not apply.
 *
 * @param tracesUrl the URL that spans are posted to
 * @param headers the headers of each request
 * @param timeout how long a request may take
 * @param compression {@code none} or {@code gzip}
 */
public record OtlpEndpoint(
    URI tracesUrl, Map<String, String> headers, Duration timeout, String compression) {

  private static final String SUPPORTED_PROTOCOL = "http/protobuf";

  /**
   * Reads the endpoint from the configuration; empty if tracing is off.
   *
   * @throws InvalidConfigurationException if the protocol is not supported
   */
  public static Optional<OtlpEndpoint> of(Configuration configuration) {
    boolean off =
        configuration.get(TraceSettings.DISABLED)
            || configuration.get(TraceSettings.EXPORTER).equals("none");
    return off
        ? Optional.empty()
        : configuration
            .get(TraceSettings.TRACES_ENDPOINT)
            .or(() -> configuration.get(TraceSettings.ENDPOINT).map(OtlpEndpoint::tracesUrlOf))
            .map(traces -> at(traces, configuration));
  }

  private static OtlpEndpoint at(URI traces, Configuration configuration) {
    requireSupportedProtocol(configuration);
    int timeout = firstSet(configuration, TraceSettings.TRACES_TIMEOUT, TraceSettings.TIMEOUT);
    return new OtlpEndpoint(
        traces,
        firstSet(configuration, TraceSettings.TRACES_HEADERS, TraceSettings.HEADERS),
        Duration.ofMillis(timeout),
        firstSet(configuration, TraceSettings.TRACES_COMPRESSION, TraceSettings.COMPRESSION));
  }

  private static <T> T firstSet(
      Configuration configuration, Setting<Optional<T>> forTraces, Setting<T> general) {
    return configuration.get(forTraces).orElseGet(() -> configuration.get(general));
  }

  /**
   * Checked only if there is an endpoint: the variable may be meant for other programs, and must
   * not stop a server that does not trace.
   */
  private static void requireSupportedProtocol(Configuration configuration) {
    String protocol =
        firstSet(configuration, TraceSettings.TRACES_PROTOCOL, TraceSettings.PROTOCOL);
    if (!protocol.strip().equalsIgnoreCase(SUPPORTED_PROTOCOL)) {
      boolean forTraces = configuration.get(TraceSettings.TRACES_PROTOCOL).isPresent();
      Setting<?> setting = forTraces ? TraceSettings.TRACES_PROTOCOL : TraceSettings.PROTOCOL;
      String message =
          "must be %s, not '%s': use the port on which the collector accepts it, such as 4318"
              .formatted(SUPPORTED_PROTOCOL, FieldError.sanitize(protocol));
      throw new InvalidConfigurationException(List.of(new FieldError(setting.name(), message)));
    }
  }

  private static URI tracesUrlOf(URI collector) {
    String text = collector.toString();
    return URI.create(text.endsWith("/") ? text + "v1/traces" : text + "/v1/traces");
  }
}
