// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.TraceSettings;
import java.net.URI;
import java.util.Optional;

/**
 * Who gathers spans. An operator names it, so it may be anywhere: what webhooks may reach does not
 * concern it.
 *
 * @param traces the address that spans are sent to
 */
public record Collector(URI traces) {

  /** The one that is configured; empty when nothing is to be recorded. */
  public static Optional<Collector> of(Configuration configuration) {
    boolean off =
        configuration.get(TraceSettings.DISABLED)
            || configuration.get(TraceSettings.EXPORTER).equals("none");
    return off
        ? Optional.empty()
        : configuration
            .get(TraceSettings.TRACES_ENDPOINT)
            .or(() -> configuration.get(TraceSettings.ENDPOINT).map(Collector::ofTraces))
            .map(Collector::new);
  }

  private static URI ofTraces(URI collector) {
    String text = collector.toString();
    return URI.create(text.endsWith("/") ? text + "v1/traces" : text + "/v1/traces");
  }
}
