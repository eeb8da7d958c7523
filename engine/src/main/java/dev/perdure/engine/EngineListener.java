// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.time.Duration;
import java.time.Instant;

/**
 * Hears what the engine does, after it is durable. Called on the engine's own threads: it should be
 * quick, and what it throws is logged and forgotten.
 */
public interface EngineListener {

  /** Tasks were submitted through this engine. */
  default void onSubmitted(int tasks) {}

  /** A claim was answered. */
  default void onClaimed(int tasks, Duration took) {}

  /** An attempt begins here; {@code now} is the database's clock at the claim. */
  default void onStarted(Lease lease, Instant now) {}

  /** A change was written: the end of an attempt, a loss, a timeout, an operator's act. */
  default void onChanged(Task before, TaskChange taskChange, Duration ran) {}

  /** A delivery was sent, or failed and that is written; {@code took} is the courier's time. */
  default void onDeliveryAttempted(String trigger, DeliveryOutcome outcome, Duration took) {}

  /** A write came too late and was refused. */
  default void onStaleWrite(LeaseKey key) {}

  /** The store could not do something; {@code part} names who asked. */
  default void onStoreError(String part, RuntimeException error) {}

  /** The node stopped its own work, since it could not renew its row in time. */
  default void onSelfStop() {}
}
