// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.TaskChange;
import java.util.List;

/** Says that it is written, and writes it a moment later. */
final class EarlyAcknowledgement extends ForwardingStore {

  private final Surroundings around;

  EarlyAcknowledgement(TaskStore inner, Surroundings around) {
    super(inner);
    this.around = around;
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> taskChanges) {
    around.later(() -> write(taskChanges));
    return taskChanges.stream().map(taskChange -> WriteResult.written()).toList();
  }

  private void write(List<TaskChange> taskChanges) {
    try {
      inner.apply(taskChanges);
    } catch (StoreException tooLate) {
      around.note("what was acknowledged could not be written: " + tooLate.getMessage());
    }
  }
}
