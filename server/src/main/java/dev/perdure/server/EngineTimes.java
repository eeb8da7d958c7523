// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.engine.NodeLeaseOptions;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;
import java.time.Duration;

/** How often the engine polls and renews its leases, from the settings. */
final class EngineTimes {

  private EngineTimes() {}

  /** One loop polls for new tasks and for retries, so the shorter interval applies. */
  static Duration pollInterval(Configuration configuration) {
    int retries = configuration.get(Settings.RETRY_LOOP_INTERVAL_MS);
    int tasks = configuration.get(Settings.WORKER_LOOP_INTERVAL_MS).orElse(retries);
    boolean retriesSet = !configuration.entry(Settings.RETRY_LOOP_INTERVAL_MS).isDefault();
    return Duration.ofMillis(retriesSet ? Math.min(retries, tasks) : tasks);
  }

  /**
   * Scales the default lease times to the configured validity. Renewal and the wait before reaping
   * never get longer than the defaults: a node that renews rarely could miss its own outage and
   * declare others dead, and a node that waits long reaps nothing meanwhile.
   */
  static NodeLeaseOptions leaseTimes(Configuration configuration) {
    Duration validity = Duration.ofSeconds(configuration.get(Settings.WORKER_CLAIM_TIMEOUT_SECS));
    Duration fifth = validity.dividedBy(5);
    return new NodeLeaseOptions(
        shorter(fifth, NodeLeaseOptions.DEFAULT.renewInterval()),
        validity,
        fifth.multipliedBy(3),
        shorter(fifth.multipliedBy(2), NodeLeaseOptions.DEFAULT.steadyTimeBeforeReaping()));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
