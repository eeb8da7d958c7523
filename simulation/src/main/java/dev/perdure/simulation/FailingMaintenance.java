// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.TaskSnapshot;
import java.time.Duration;

/** Maintenance behind an unreliable connection. */
final class FailingMaintenance implements MaintenanceStore {

  private final MaintenanceStore inner;
  private final UnreliableConnection connection;
  private final InvariantChecker checker;

  FailingMaintenance(
      MaintenanceStore inner, UnreliableConnection connection, InvariantChecker checker) {
    this.inner = inner;
    this.connection = connection;
    this.checker = checker;
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
  public LimitSweep sweepLimits(String after, int limit) {
    return connection.write(
        "sweep limits",
        () -> {
          LimitSweep sweep = inner.sweepLimits(after, limit);
          checker.swept(sweep);
          return sweep;
        });
  }

  @Override
  public int purgeSubmissionKeys(int limit) {
    return connection.write("purge submission keys", () -> inner.purgeSubmissionKeys(limit));
  }
}
