// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.BatchRun.RunFailure;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DeliveryPlanner;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskGiveUpReason;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Plans one delivery for each end of a task and one for each end of a batch. */
final class EndDeliveries implements DeliveryPlanner {

  @Override
  public List<DeliveryMessage> plan(Task before, TaskChange change) {
    return change.to().isTerminal()
        ? List.of(new DeliveryMessage("end", TaskChecker.describeEnd(change)))
        : List.of();
  }

  @Override
  public List<DeliveryMessage> planBatchEnd(
      UUID batch,
      BatchDefinition definition,
      int run,
      BatchOutcome outcome,
      @Nullable RunFailure failure,
      @Nullable TaskGiveUpReason reason) {
    return List.of(new DeliveryMessage("batch", "run " + run + " " + outcome.text()));
  }
}
