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
 * Who gathers spans. An operator names it, so it may be anywhere: what webhooks may reach does not
 * concern it.
 *
 * @param tracesUrl the address that spans are sent to
 * @param headers what it is sent with them
 * @param timeout what it may take to answer
 * @param compression how they are packed
 */
public record OtlpEndpoint(
    URI tracesUrl, Map<String, String> headers, Duration timeout, String compression) {

  private static final String SUPPORTED_PROTOCOL = "http/protobuf";

  /**
   * The one that is configured; empty when nothing is to be recorded.
   *
   * @throws InvalidConfigurationException when it is to be spoken to as it cannot be
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
      Configuration configuration, Setting<Optional<T>> ofTraces, Setting<T> ofAll) {
    return configuration.get(ofTraces).orElseGet(() -> configuration.get(ofAll));
  }

  /** Only now: what others are told of their collectors is no reason not to start without one. */
  private static void requireSupportedProtocol(Configuration configuration) {
    String protocol =
        firstSet(configuration, TraceSettings.TRACES_PROTOCOL, TraceSettings.PROTOCOL);
    if (!protocol.strip().equalsIgnoreCase(SUPPORTED_PROTOCOL)) {
      boolean ofTraces = configuration.get(TraceSettings.TRACES_PROTOCOL).isPresent();
      Setting<?> setting = ofTraces ? TraceSettings.TRACES_PROTOCOL : TraceSettings.PROTOCOL;
      String message =
          "must be %s, not '%s': name the collector's port for it, such as 4318"
              .formatted(SUPPORTED_PROTOCOL, FieldError.sanitize(protocol));
      throw new InvalidConfigurationException(List.of(new FieldError(setting.name(), message)));
    }
  }

  private static URI tracesUrlOf(URI collector) {
    String text = collector.toString();
    return URI.create(text.endsWith("/") ? text + "v1/traces" : text + "/v1/traces");
  }
}
