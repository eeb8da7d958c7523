// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.TaskCounters;
import dev.perdure.engine.spi.TaskUpdate;
import dev.perdure.engine.spi.WriteResult;
import java.util.List;

/** Task counters behind an unreliable connection. */
final class FailingTaskCounters implements TaskCounters {

  private final TaskCounters inner;
  private final UnreliableConnection connection;

  FailingTaskCounters(TaskCounters inner, UnreliableConnection connection) {
    this.inner = inner;
    this.connection = connection;
  }

  @Override
  public List<WriteResult> add(List<ProgressReport> reports) {
    return connection.write("add", () -> inner.add(reports));
  }

  @Override
  public WriteResult update(TaskUpdate update) {
    return connection.write("update", () -> inner.update(update));
  }
}
