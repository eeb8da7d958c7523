// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import dev.perdure.policy.Failure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How an attempt ended, as its worker reports it. */
public sealed interface Outcome {

  /** The attempt succeeded; the result is JSON. */
  record Succeeded(@Nullable String result) implements Outcome {}

  /** The attempt failed. */
  record Failed(Failure failure, @Nullable String stack) implements Outcome {}

  /** There was no heartbeat for the task's timeout. */
  record TimedOut() implements Outcome {}

  /** The same attempt runs again after the delay. */
  record Snoozed(Duration delay) implements Outcome {}

  /**
   * A callee has taken over the work and will report how it ends. The attempt continues; the worker
   * is free.
   *
   * @param cancelAction JSON that says how to stop the callee; null when it cannot be stopped
   */
  record HandedOff(@Nullable String cancelAction) implements Outcome {}

  /** The worker stops; the same attempt runs again elsewhere. */
  record HandedBack() implements Outcome {}

  /** The worker cannot run the task; the task waits, visible, until an operator resumes it. */
  record Parked(String reason) implements Outcome {}
}
