// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.TaskCounters;
import dev.perdure.engine.spi.TaskUpdate;
import dev.perdure.engine.spi.WriteResult;
import java.util.List;

/** The figures of tasks at the other end of a wire. */
final class FailingTaskCounters implements TaskCounters {

  private final TaskCounters inner;
  private final UnreliableConnection connection;

  FailingTaskCounters(TaskCounters inner, UnreliableConnection unreliableConnection) {
    this.inner = inner;
    this.connection = unreliableConnection;
  }

  @Override
  public List<WriteResult> add(List<ProgressReport> progressReports) {
    return connection.write("add", () -> inner.add(progressReports));
  }

  @Override
  public WriteResult update(TaskUpdate taskUpdate) {
    return connection.write("revise", () -> inner.update(taskUpdate));
  }
}
