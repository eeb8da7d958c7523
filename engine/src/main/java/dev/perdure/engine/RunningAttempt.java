// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that this node holds: from its claim until its end is durable. Safe to share.
 *
 * <p>The interrupt may come before the worker is known, and after the handler has ended; the first
 * is kept for later, the second must not reach whatever the thread does next.
 */
final class RunningAttempt {

  private final UUID node;
  private final Lease lease;
  private final Instant claimedAt;
  private final Duration claimedTick;

  private EngineExecutor.@Nullable Interruptible interruptible;
  private @Nullable AttemptStopReason stopReason;
  private @Nullable Duration lastActivity;
  private boolean handleIssued;
  private boolean callInterrupted;
  private boolean handling;
  private boolean ended;
  private boolean durable;
  private @Nullable Long done;
  private @Nullable Long total;
  private boolean heartbeatPending;
  private @Nullable TaskChange settledByHandler;

  /** Why an attempt is interrupted. */
  enum AttemptStopReason {
    /** The node stops: the attempt is handed back. */
    NODE_STOPPING,
    /** Nothing was heard of it for its timeout. */
    TIMED_OUT,
    /** The task is no longer this node's. */
    LEASE_LOST
  }

  RunningAttempt(UUID node, Lease lease, Instant claimedAt, Duration claimedTick) {
    this.node = node;
    this.lease = lease;
    this.claimedAt = claimedAt;
    this.claimedTick = claimedTick;
  }

  UUID node() {
    return node;
  }

  Lease lease() {
    return lease;
  }

  Task task() {
    return lease.task();
  }

  LeaseKey key() {
    return lease.task().lease();
  }

  /** The database's clock at the claim. */
  Instant claimedAt() {
    return claimedAt;
  }

  /** The database's clock, as well as it can be told from here. */
  Instant databaseTime(Duration tick) {
    return claimedAt.plus(tick.minus(claimedTick));
  }

  Duration ran(Duration tick) {
    return tick.minus(claimedTick);
  }

  synchronized void runsOn(EngineExecutor.Interruptible value) {
    interruptible = value;
    if (stopReason != null && !ended) {
      value.interrupt();
    }
  }

  /** The handler begins; false when the attempt was stopped or ended before. */
  synchronized boolean begin(Duration tick) {
    if (stopReason != null || ended) {
      return false;
    }
    handling = true;
    lastActivity = tick;
    return true;
  }

  /** Interrupts the handler; the first reason counts. */
  synchronized void stop(AttemptStopReason why) {
    if (stopReason == null) {
      interrupt(why);
    }
  }

  /**
   * Interrupts a handler that was silent for its timeout, also when it ignored that the node stops.
   * A sign of life that comes after this is too late. The silence of a callee that has the handle
   * is not judged here.
   *
   * @return true when it is this call that stopped it
   */
  synchronized boolean timeOut(Duration tick) {
    boolean mayStop = stopReason == null || stopReason == AttemptStopReason.NODE_STOPPING;
    if (!mayStop || ended || handleIssued || !isInactive(tick)) {
      return false;
    }
    interrupt(AttemptStopReason.TIMED_OUT);
    return true;
  }

  /** A callee has the handle, and what it says by that goes to the store. */
  synchronized void markHandleIssued() {
    handleIssued = true;
  }

  /** True when a callee has the handle, and nothing was heard here for the timeout. */
  synchronized boolean isInactiveCallee(Duration tick) {
    return stopReason == null && !ended && handleIssued && isInactive(tick);
  }

  /** The store heard the callee last at this time of the node's clock. */
  synchronized void activityAt(Duration tick) {
    lastActivity = tick;
  }

  private boolean isInactive(Duration tick) {
    Duration timeout = task().definition().timeout();
    return timeout != null
        && lastActivity != null
        && tick.minus(lastActivity).compareTo(timeout) >= 0;
  }

  private void interrupt(AttemptStopReason why) {
    stopReason = why;
    // A callee works on, whether its call is broken off or not, and its answer may say how it is
    // told to stop: it has some time for that.
    if (why != AttemptStopReason.LEASE_LOST || !handleIssued) {
      interruptWorker();
    }
  }

  private void interruptWorker() {
    if (interruptible != null && !ended) {
      interruptible.interrupt();
    }
  }

  /** Ends a call that nobody wants any more, once. */
  synchronized void interruptCall() {
    if (handleIssued && !callInterrupted) {
      callInterrupted = true;
      interruptWorker();
    }
  }

  synchronized @Nullable AttemptStopReason stopReason() {
    return stopReason;
  }

  /** The end of the attempt is known; false when it was already spoken for. */
  synchronized boolean end() {
    boolean first = !ended;
    ended = true;
    return first;
  }

  synchronized boolean ended() {
    return ended;
  }

  /** The end is written; true when no handler runs any more either. */
  synchronized boolean settled() {
    durable = true;
    return !handling;
  }

  /** The handler has returned; true when the end was written before. */
  synchronized boolean handlerEnded() {
    handling = false;
    return durable;
  }

  synchronized boolean durable() {
    return durable;
  }

  /** The handler ends its attempt in a transaction of its own, which may or may not commit. */
  synchronized void settledByHandler(TaskChange taskChange) {
    settledByHandler = taskChange;
  }

  /** How the handler ended its attempt itself, if that was committed; null when it did not. */
  synchronized @Nullable TaskChange settledByHandler() {
    return settledByHandler;
  }

  /**
   * The store shows the lease as no longer held: the handler is interrupted, unless it may have
   * ended the attempt itself.
   *
   * @return true when nobody here knew
   */
  synchronized boolean leaseLost() {
    boolean news = !ended && stopReason == null && settledByHandler == null;
    if (news) {
      stop(AttemptStopReason.LEASE_LOST);
    }
    return news;
  }

  synchronized void progress(long doneNow, long totalNow, Duration tick) {
    if (stopReason == AttemptStopReason.TIMED_OUT) {
      return;
    }
    lastActivity = tick;
    done = doneNow;
    total = totalNow;
    heartbeatPending = true;
  }

  /** What has not been told to the store yet, or null. */
  synchronized @Nullable Heartbeat takeHeartbeat() {
    if (!heartbeatPending || ended) {
      return null;
    }
    heartbeatPending = false;
    return new Heartbeat(key(), done, total, null);
  }

  /** The sign that was taken did not reach the store. */
  synchronized void returnHeartbeat() {
    heartbeatPending = true;
  }
}
