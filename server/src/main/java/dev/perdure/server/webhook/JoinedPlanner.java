// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.BatchRun.RunFailure;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DeliveryPlanner;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskGiveUpReason;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Plans the deliveries of several planners, one after the other. */
record JoinedPlanner(List<DeliveryPlanner> planners) implements DeliveryPlanner {

  @Override
  public List<DeliveryMessage> plan(Task before, TaskChange change) {
    return join(planner -> planner.plan(before, change));
  }

  @Override
  public List<DeliveryMessage> planBatchEnd(
      UUID batch,
      BatchDefinition definition,
      int run,
      BatchOutcome outcome,
      @Nullable RunFailure failure,
      @Nullable TaskGiveUpReason reason) {
    return join(planner -> planner.planBatchEnd(batch, definition, run, outcome, failure, reason));
  }

  @Override
  public List<DeliveryMessage> planBatchRetry(
      UUID batch,
      BatchDefinition definition,
      int run,
      @Nullable RunFailure failure,
      Duration delay) {
    return join(planner -> planner.planBatchRetry(batch, definition, run, failure, delay));
  }

  private List<DeliveryMessage> join(Function<DeliveryPlanner, List<DeliveryMessage>> plan) {
    return planners.stream().flatMap(planner -> plan.apply(planner).stream()).toList();
  }
}
