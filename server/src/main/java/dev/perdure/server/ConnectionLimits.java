// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.policy.FieldError;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.InvalidConfigurationException;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.HttpLimits;
import java.util.List;

/**
 * How many clients may be connected at once. Event streams and workers that wait for tasks stay
 * connected for long, so they may not take all connections.
 */
record ConnectionLimits(HttpLimits http, int maxEventStreams, int maxWaitingWorkers) {

  /**
   * Reads the limits from the configuration.
   *
   * @throws InvalidConfigurationException if event streams could take more than half of all
   *     connections
   */
  static ConnectionLimits of(Configuration configuration) {
    int connections = configuration.get(Settings.MAX_CONNECTIONS);
    int streams = configuration.get(Settings.MAX_EVENT_STREAMS);
    if (streams > connections / 2) {
      throw new InvalidConfigurationException(
          List.of(
              new FieldError(
                  Settings.MAX_EVENT_STREAMS.name(),
                  "must be at most half of max_connections, %d, not %d"
                      .formatted(connections / 2, streams))));
    }
    return new ConnectionLimits(
        http(configuration, connections), streams, (connections - streams) / 2);
  }

  private static HttpLimits http(Configuration configuration, int connections) {
    HttpLimits usual = HttpLimits.DEFAULT;
    int body = configuration.get(Settings.MAX_BODY_BYTES);
    return new HttpLimits(
        body,
        HttpLimits.maxTotalBodyBytes(body, Runtime.getRuntime().maxMemory()),
        usual.maxHeaderBytes(),
        connections,
        configuration.get(Settings.MAX_CONCURRENT_REQUESTS),
        configuration.get(Settings.READ_TIMEOUT),
        usual.idleTimeout());
  }
}
