// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.TaskSnapshot;
import java.time.Duration;

/** The sweeps, at the other end of a wire. */
final class FailingMaintenance implements MaintenanceStore {

  private final MaintenanceStore inner;
  private final UnreliableConnection connection;

  FailingMaintenance(MaintenanceStore inner, UnreliableConnection unreliableConnection) {
    this.inner = inner;
    this.connection = unreliableConnection;
  }

  @Override
  public TaskSnapshot orphans(int limit) {
    return connection.read("orphans", () -> inner.orphans(limit));
  }

  @Override
  public TaskSnapshot inactive(int limit) {
    return connection.read("silent", () -> inner.inactive(limit));
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
  public int purgeSubmissionKeys(int limit) {
    return connection.write("forget", () -> inner.purgeSubmissionKeys(limit));
  }
}
