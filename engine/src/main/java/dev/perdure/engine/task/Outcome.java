// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import dev.perdure.policy.Failure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How a worker says that its attempt ended. */
public sealed interface Outcome {

  /** It is done; the result is JSON. */
  record Succeeded(@Nullable String result) implements Outcome {}

  /** It failed. */
  record Failed(Failure failure, @Nullable String stack) implements Outcome {}

  /** Nothing was heard of it for its timeout, by whoever runs it. */
  record TimedOut() implements Outcome {}

  /** Not now: the same attempt again after the delay. */
  record Snoozed(Duration delay) implements Outcome {}

  /**
   * A callee elsewhere has taken it over and will say how it ends: the attempt goes on, the worker
   * is free.
   *
   * @param cancelAction how the callee is told to stop, JSON; null when it cannot be told
   */
  record HandedOff(@Nullable String cancelAction) implements Outcome {}

  /** The worker stops; the same attempt runs elsewhere. */
  record HandedBack() implements Outcome {}

  /** The worker cannot read the task; it waits, visible, for one that can. */
  record Parked(String reason) implements Outcome {}
}
