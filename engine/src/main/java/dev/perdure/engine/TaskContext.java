// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.CallerTransaction;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a handler can read and do about the attempt it runs.
 *
 * <p>The methods that end the attempt throw, so nothing after them runs. They are declared to
 * return what they throw, so that you can write {@code throw context.snooze(…)}. The outcome counts
 * even when the handler swallows the exception.
 */
public interface TaskContext {

  /** The task when this attempt was claimed. */
  Task task();

  /** The number of this attempt, from 0. */
  long attempt();

  /** The same on every attempt: for calls that must not take effect twice. */
  String idempotencyKey();

  /** A key that differs for each attempt. */
  String attemptKey();

  /** The trace context for what the handler does, in the trace that all attempts share. */
  TraceContext traceParent();

  /**
   * True when the attempt should stop: it was canceled, or the node is stopping or no longer holds
   * it. A handler that stops because of this ends with {@link #handBack()}.
   */
  boolean stopping();

  /**
   * Stops because the attempt is {@link #stopping()}: the same attempt runs again, here or
   * elsewhere, and no retry is used up. Throws IllegalStateException when the attempt was not asked
   * to stop; use {@link #snooze} then.
   */
  RuntimeException handBack();

  /**
   * A task that this one depended on, with its result. Asks the store for this one only.
   *
   * @param id its local id if it is in the same batch, or its UUID
   * @throws java.util.NoSuchElementException when this task does not depend on it
   */
  ParentResult parent(String id);

  /**
   * The tasks that this one depended on, with their results; the first 1,000 of them. Asks the
   * store. {@link #parent} finds all of them.
   */
  List<ParentResult> parents();

  /** The batch of the task, with what all its tasks can read. Asks the store. */
  BatchContext batch();

  /** Sets the result of the task; anything that Jackson can write as JSON. */
  void result(Object value);

  /** Reports progress. It counts as a heartbeat: the inactivity timeout starts over. */
  void progress(long done, long total);

  /** Fails this attempt and schedules the next one after exactly this delay; uses up a retry. */
  RuntimeException retryAfter(Duration delay, @Nullable String reason);

  default RuntimeException retryAfter(Duration delay) {
    return retryAfter(delay, null);
  }

  /** Fails the task without asking the policy. */
  RuntimeException permanent(@Nullable String reason);

  /** Fails this attempt with a code that policies can match: {@code code:no_slots}. */
  RuntimeException fail(String code, @Nullable String reason);

  /** Fails this attempt with this failure, all of which policies can match. */
  RuntimeException fail(Failure failure);

  /**
   * Returns the handle epoch, to give to a callee that will report with it. Only for tasks with a
   * queue.
   *
   * <p>From now on the callee may report to any node before its call returns, so its inactivity is
   * checked against the store. When the attempt is canceled or times out, the handler gets a few
   * seconds to learn how to stop the callee before it is interrupted.
   */
  long issueHandle();

  /**
   * Ends the handler but not the attempt: a callee has taken over the work and will report how it
   * ends with the {@link #issueHandle handle}. Until then no worker holds the task, and the attempt
   * fails when the callee sends no heartbeat for the task's timeout. Only for tasks with a queue
   * and a timeout.
   *
   * @param cancelAction JSON that says how to stop the callee; null when it cannot be stopped
   */
  RuntimeException handOff(@Nullable String cancelAction);

  /** Runs the same attempt again after the delay, 1 ms or more; no retry is used up. */
  RuntimeException snooze(Duration delay);

  /**
   * Parks the task because it cannot be done here for reasons outside of it. It waits, visible,
   * until an operator resumes it; then the same attempt runs again, and no retry is used up.
   */
  RuntimeException park(String reason);

  /**
   * Ends the attempt successfully in the handler's own transaction: both take effect when it
   * commits, and neither when it rolls back. Throws when this worker no longer holds the attempt.
   */
  void settleIn(CallerTransaction transaction);
}
