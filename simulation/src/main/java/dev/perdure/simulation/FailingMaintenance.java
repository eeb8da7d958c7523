// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.TaskSnapshot;
import java.time.Duration;

/** Maintenance behind an unreliable connection. */
final class FailingMaintenance implements MaintenanceStore {

  private final MaintenanceStore inner;
  private final UnreliableConnection connection;

  FailingMaintenance(MaintenanceStore inner, UnreliableConnection connection) {
    this.inner = inner;
    this.connection = connection;
  }

  @Override
  public TaskSnapshot orphans(int limit) {
    return connection.read("orphans", () -> inner.orphans(limit));
  }

  @Override
  public TaskSnapshot inactive(int limit) {
    return connection.read("inactive", () -> inner.inactive(limit));
  }

  @Override
  public TaskSnapshot pastDeadline(int limit) {
    return connection.read("past deadline", () -> inner.pastDeadline(limit));
  }

  @Override
  public int purge(Duration age, int limit) {
    return connection.write("purge", () -> inner.purge(age, limit));
  }

  @Override
  public MaintenanceStore.LimitSweep sweepLimits(String after, int limit) {
    return connection.write("sweep limits", () -> inner.sweepLimits(after, limit));
  }

  @Override
  public int purgeSubmissionKeys(int limit) {
    return connection.write("purge submission keys", () -> inner.purgeSubmissionKeys(limit));
  }
}
