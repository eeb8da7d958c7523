// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.schedule.FiringProblem;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Receives events of the engine, after they are durable. It is called on the engine's own threads,
 * so it should be quick. Exceptions are logged and ignored.
 */
public interface EngineListener {

  /** Tasks were submitted on this node. */
  default void onSubmitted(int tasks) {}

  /**
   * Tasks were submitted on this node. Calls {@link #onSubmitted(int)} with their number.
   *
   * @param tasksByKind how many of each kind; an empty kind stands for tasks of unknown kinds
   */
  default void onSubmitted(Map<String, Integer> tasksByKind) {
    onSubmitted(tasksByKind.values().stream().mapToInt(Integer::intValue).sum());
  }

  /** A claim returned. */
  default void onClaimed(int tasks, Duration took) {}

  /** An attempt starts on this node; {@code now} is the database's clock at the claim. */
  default void onStarted(Lease lease, Instant now) {}

  /**
   * A change was written: an attempt ended, a worker was lost, an attempt timed out, or an operator
   * acted.
   *
   * @param ran how long the attempt ran that the change ends, otherwise zero
   */
  default void onChanged(Task before, TaskChange change, Duration ran) {}

  /** A batch is final: it has a retry policy or actions, and does not run again. */
  default void onBatchEnded(UUID batch, BatchOutcome outcome) {}

  /**
   * Dependencies were updated because the tasks they name have ended.
   *
   * @param dependencies how many dependencies got another outcome
   * @param lag how long before the oldest of these ends was written
   */
  default void onPropagated(int dependencies, Duration lag) {}

  /**
   * A delivery was sent or failed, and the result is durable. Also called for calls that are no
   * deliveries, such as {@code on_start}.
   *
   * @param outcome never {@link DeliveryOutcome#DEFERRED}
   * @param took how long the sender took
   */
  default void onDeliveryAttempted(String trigger, DeliveryOutcome outcome, Duration took) {}

  /** Limits had a number in use that differed from the tasks that run, and were corrected. */
  default void onLimitsCorrected(int limits) {}

  /** Schedules were created, changed or deleted, or have fired. */
  default void onSchedulesChanged() {}

  /** Schedules were due but could not fire. They are tried again. */
  default void onFiringFailed(List<FiringProblem> problems) {}

  /** A write came too late and was refused. */
  default void onStaleWrite(LeaseKey key) {}

  /** The store failed; {@code component} names the part of the engine that called it. */
  default void onStoreError(String component, RuntimeException error) {}

  /** The node stopped its own work because it could not renew its lease in time. */
  default void onSelfStop() {}
}
