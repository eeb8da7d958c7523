// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.CallersTransaction;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.Failure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a handler may know and say about the attempt it runs.
 *
 * <p>The methods that end the attempt throw, so nothing after them runs; they are declared to
 * return what they throw, so that {@code throw context.snooze(…)} satisfies the compiler too. What
 * they were told holds even when the handler swallows what they throw.
 */
public interface TaskContext {

  /** The task as it was when this attempt was claimed. */
  Task task();

  /** The number of this attempt, from 0. */
  long attempt();

  /** The same on every attempt: for calls that must not take effect twice. */
  String idempotencyKey();

  /** Another one for each attempt. */
  String attemptKey();

  /** The parent of what the handler does, in the trace that all attempts of the task share. */
  TraceContext traceParent();

  /**
   * True when the attempt should stop: somebody canceled it, the node stops or no longer holds it.
   * Whoever breaks off for it ends with {@link #handBack()}.
   */
  boolean stopping();

  /**
   * Breaks off, since the attempt is {@link #stopping()}: the same attempt runs again, here or
   * elsewhere, and nothing is used up. Throws IllegalStateException when nobody asked it to stop;
   * {@link #snooze} is for that.
   */
  RuntimeException handBack();

  /** What the task returns when it succeeds; anything that becomes JSON. */
  void result(Object value);

  /** How far it is. Also a sign of life: the inactivity timeout counts from here. */
  void progress(long done, long total);

  /** Fails this attempt and asks for the next one after exactly this delay; uses up a retry. */
  RuntimeException retryAfter(Duration delay, @Nullable String reason);

  default RuntimeException retryAfter(Duration delay) {
    return retryAfter(delay, null);
  }

  /** Fails the task; no policy is asked. */
  RuntimeException permanent(@Nullable String reason);

  /** Fails this attempt with a code that policies can match: {@code code:no_slots}. */
  RuntimeException fail(String code, @Nullable String reason);

  /** Fails this attempt as described; policies see all of it. */
  RuntimeException fail(Failure failure);

  /**
   * The handle epoch of a task of a lane, to be given to a callee that will report by it. From now
   * on the callee may be heard by any node before its call returns: its silence is judged by what
   * the store has heard, and when nobody wants the work any more, the handler has some seconds to
   * learn how the callee is told to stop before it is interrupted.
   */
  long issueHandle();

  /**
   * Ends the work here, not the attempt: a callee has taken it over and will say how it ends, with
   * the {@link #issueHandle handle} that it was lent. Until then the task is held by nobody, and
   * fails when nothing is heard for its timeout. Only for tasks of a lane that have a timeout.
   *
   * @param cancelAction how the callee is told to stop, JSON; null when it cannot be told
   */
  RuntimeException handOff(@Nullable String cancelAction);

  /** Not now: runs the same attempt again after the delay, 1 ms or more, and uses up nothing. */
  RuntimeException snooze(Duration delay);

  /**
   * The task cannot be done here as things are, and that is no fault of its own: it waits, visible,
   * until somebody resumes it. Then the same attempt runs again, and nothing is used up.
   */
  RuntimeException park(String reason);

  /**
   * Ends the attempt, successfully, in the handler's own transaction: both hold when it commits,
   * and neither when it rolls back. Throws when the attempt is no longer this worker's to end.
   */
  void settleIn(CallersTransaction transaction);
}
