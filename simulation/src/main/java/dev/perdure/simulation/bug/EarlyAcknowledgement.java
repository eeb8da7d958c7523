// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import java.util.List;

/** Says that it is written, and writes it a moment later. */
final class EarlyAcknowledgement extends ForwardingStore {

  private final Surroundings around;

  EarlyAcknowledgement(TaskStore inner, Surroundings around) {
    super(inner);
    this.around = around;
  }

  @Override
  public List<Verdict> apply(List<Change> changes) {
    around.later(() -> write(changes));
    return changes.stream().map(change -> Verdict.done()).toList();
  }

  private void write(List<Change> changes) {
    try {
      inner.apply(changes);
    } catch (StoreException tooLate) {
      around.note("what was acknowledged could not be written: " + tooLate.getMessage());
    }
  }
}
