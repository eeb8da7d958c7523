// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.BatchRun.RunFailure;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.TaskGiveUpReason;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The end of a run, as the store writes it.
 *
 * @param version the {@link CompletedRun#version} that was decided about: a decision about a run
 *     that has changed since is not written
 * @param delay how long until the next run; null when the batch is final
 * @param giveUpReason why a failed run is the last one
 * @param deliveryTask the task that the deliveries are listed under
 * @param followUps tasks to store with the decision; they depend on no other
 */
public record RunDecision(
    UUID batch,
    int run,
    int version,
    BatchOutcome outcome,
    @Nullable RunFailure failure,
    @Nullable TaskGiveUpReason giveUpReason,
    @Nullable Duration delay,
    UUID deliveryTask,
    List<NewDelivery> deliveries,
    List<Submission> followUps) {

  public RunDecision {
    deliveries = List.copyOf(deliveries);
    followUps = List.copyOf(followUps);
  }
}
