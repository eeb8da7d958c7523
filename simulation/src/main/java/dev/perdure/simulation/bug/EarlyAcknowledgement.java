// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.TaskChange;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Acknowledges changes before it writes them. */
final class EarlyAcknowledgement extends ForwardingStore {

  private final Executor later;
  private final Consumer<String> trace;

  EarlyAcknowledgement(TaskStore inner, Executor later, Consumer<String> trace) {
    super(inner);
    this.later = later;
    this.trace = trace;
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> changes) {
    later.execute(() -> write(changes));
    return changes.stream().map(change -> WriteResult.written()).toList();
  }

  private void write(List<TaskChange> changes) {
    try {
      inner.apply(changes);
    } catch (StoreException failure) {
      trace.accept("could not write acknowledged changes: " + failure.getMessage());
    }
  }
}
