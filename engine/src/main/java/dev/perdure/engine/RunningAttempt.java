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
 * An attempt that this node holds, from the claim until its end is durable. Thread-safe.
 *
 * <p>An interrupt may come before the thread is known, and is kept until then. It may also come
 * after the handler has ended, and then must not reach what the thread does next.
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
    /** The node is stopping; the attempt is handed back. */
    NODE_STOPPING,
    /** There was no heartbeat for its timeout. */
    TIMED_OUT,
    /** The node no longer holds the lease. */
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

  /** The database's clock at this tick, as this node estimates it. */
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

  /** Starts the handler; false when the attempt was stopped or ended before. */
  synchronized boolean begin(Duration tick) {
    if (stopReason != null || ended) {
      return false;
    }
    handling = true;
    lastActivity = tick;
    return true;
  }

  /** Interrupts the handler; the first reason counts. */
  synchronized void stop(AttemptStopReason reason) {
    if (stopReason == null) {
      interrupt(reason);
    }
  }

  /**
   * Interrupts a handler without a heartbeat for its timeout, also when it ignored that the node
   * stops. A heartbeat after this is too late. A callee with the handle is checked by {@link
   * TimeoutEnforcer} against the store instead.
   *
   * @return true when this call stopped it
   */
  synchronized boolean timeOut(Duration tick) {
    boolean mayStop = stopReason == null || stopReason == AttemptStopReason.NODE_STOPPING;
    if (!mayStop || ended || handleIssued || !isInactive(tick)) {
      return false;
    }
    interrupt(AttemptStopReason.TIMED_OUT);
    return true;
  }

  /** A callee got the handle; it reports to the store. */
  synchronized void markHandleIssued() {
    handleIssued = true;
  }

  /** True when a callee has the handle and this node saw no activity for the timeout. */
  synchronized boolean isInactiveCallee(Duration tick) {
    return stopReason == null && !ended && handleIssued && isInactive(tick);
  }

  /** The store saw the callee's last activity at this tick. */
  synchronized void activityAt(Duration tick) {
    lastActivity = tick;
  }

  private boolean isInactive(Duration tick) {
    Duration timeout = task().definition().timeout();
    return timeout != null
        && lastActivity != null
        && tick.minus(lastActivity).compareTo(timeout) >= 0;
  }

  private void interrupt(AttemptStopReason reason) {
    stopReason = reason;
    // The callee continues whether or not its call is interrupted, and its answer may say how to
    // stop it: the call gets some more time for that.
    if (reason != AttemptStopReason.LEASE_LOST || !handleIssued) {
      interruptWorker();
    }
  }

  private void interruptWorker() {
    if (interruptible != null && !ended) {
      interruptible.interrupt();
    }
  }

  /** Interrupts a call whose result is no longer wanted, once. */
  synchronized void interruptCall() {
    if (handleIssued && !callInterrupted) {
      callInterrupted = true;
      interruptWorker();
    }
  }

  synchronized @Nullable AttemptStopReason stopReason() {
    return stopReason;
  }

  /** Marks the attempt as ended; false when it already was. */
  synchronized boolean end() {
    boolean first = !ended;
    ended = true;
    return first;
  }

  /** The end is durable; true when the handler has returned too. */
  synchronized boolean settled() {
    durable = true;
    return !handling;
  }

  /** The handler has returned; true when the end is already durable. */
  synchronized boolean handlerEnded() {
    handling = false;
    return durable;
  }

  synchronized boolean durable() {
    return durable;
  }

  /** The handler settles the attempt in a transaction of its own, which may or may not commit. */
  synchronized void settledByHandler(TaskChange change) {
    settledByHandler = change;
  }

  /**
   * The change that the handler wrote in its own transaction, if it did; it may not have committed.
   */
  synchronized @Nullable TaskChange settledByHandler() {
    return settledByHandler;
  }

  /**
   * The store shows that the lease is no longer held. The handler is interrupted, unless it may
   * have ended the attempt itself.
   *
   * @return true when this call stopped the attempt
   */
  synchronized boolean leaseLost() {
    boolean mayStop = !ended && stopReason == null && settledByHandler == null;
    if (mayStop) {
      stop(AttemptStopReason.LEASE_LOST);
    }
    return mayStop;
  }

  synchronized void progress(long newDone, long newTotal, Duration tick) {
    if (stopReason == AttemptStopReason.TIMED_OUT) {
      return;
    }
    lastActivity = tick;
    done = newDone;
    total = newTotal;
    heartbeatPending = true;
  }

  /** The heartbeat that the store does not have yet; null when there is none. */
  synchronized @Nullable Heartbeat takeHeartbeat() {
    if (!heartbeatPending || ended) {
      return null;
    }
    heartbeatPending = false;
    return new Heartbeat(key(), done, total, null);
  }

  /** The heartbeat did not reach the store. */
  synchronized void returnHeartbeat() {
    heartbeatPending = true;
  }
}
