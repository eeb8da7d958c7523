// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.Lease;
import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
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
final class Running {

  private final UUID node;
  private final Lease lease;
  private final Instant claimedAt;
  private final Duration claimedTick;

  private Workers.@Nullable Worker worker;
  private @Nullable Stop stop;
  private @Nullable Duration heard;
  private boolean lent;
  private boolean brokenOff;
  private boolean handling;
  private boolean ended;
  private boolean durable;
  private @Nullable Long done;
  private @Nullable Long total;
  private boolean unreported;
  private @Nullable Change settledByHandler;

  /** Why an attempt is interrupted. */
  enum Stop {
    /** The node stops: the attempt is handed back. */
    NODE_STOPS,
    /** Nothing was heard of it for its timeout. */
    TIMED_OUT,
    /** The task is no longer this node's. */
    NOT_OURS
  }

  Running(UUID node, Lease lease, Instant claimedAt, Duration claimedTick) {
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

  synchronized void by(Workers.Worker value) {
    worker = value;
    if (stop != null && !ended) {
      value.interrupt();
    }
  }

  /** The handler begins; false when the attempt was stopped or ended before. */
  synchronized boolean begin(Duration tick) {
    if (stop != null || ended) {
      return false;
    }
    handling = true;
    heard = tick;
    return true;
  }

  /** Interrupts the handler; the first reason counts. */
  synchronized void stop(Stop why) {
    if (stop == null) {
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
    boolean mayStop = stop == null || stop == Stop.NODE_STOPS;
    if (!mayStop || ended || lent || !isSilent(tick)) {
      return false;
    }
    interrupt(Stop.TIMED_OUT);
    return true;
  }

  /** A callee has the handle, and what it says by that goes to the store. */
  synchronized void lend() {
    lent = true;
  }

  /** True when a callee has the handle, and nothing was heard here for the timeout. */
  synchronized boolean isSilentCallee(Duration tick) {
    return stop == null && !ended && lent && isSilent(tick);
  }

  /** The store heard the callee last at this time of the node's clock. */
  synchronized void heard(Duration tick) {
    heard = tick;
  }

  private boolean isSilent(Duration tick) {
    Duration timeout = task().definition().timeout();
    return timeout != null && heard != null && tick.minus(heard).compareTo(timeout) >= 0;
  }

  private void interrupt(Stop why) {
    stop = why;
    // A callee works on, whether its call is broken off or not, and its answer may say how it is
    // told to stop: it has some time for that.
    if (why != Stop.NOT_OURS || !lent) {
      interruptWorker();
    }
  }

  private void interruptWorker() {
    if (worker != null && !ended) {
      worker.interrupt();
    }
  }

  /** Ends a call that nobody wants any more, once. */
  synchronized void breakOff() {
    if (lent && !brokenOff) {
      brokenOff = true;
      interruptWorker();
    }
  }

  synchronized @Nullable Stop stopped() {
    return stop;
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
  synchronized void settledByHandler(Change change) {
    settledByHandler = change;
  }

  /** How the handler ended its attempt itself, if that was committed; null when it did not. */
  synchronized @Nullable Change settledByHandler() {
    return settledByHandler;
  }

  /**
   * The store shows the lease as no longer held: the handler is interrupted, unless it may have
   * ended the attempt itself.
   *
   * @return true when nobody here knew
   */
  synchronized boolean lost() {
    boolean news = !ended && stop == null && settledByHandler == null;
    if (news) {
      stop(Stop.NOT_OURS);
    }
    return news;
  }

  synchronized void progress(long doneNow, long totalNow, Duration tick) {
    if (stop == Stop.TIMED_OUT) {
      return;
    }
    heard = tick;
    done = doneNow;
    total = totalNow;
    unreported = true;
  }

  /** What has not been told to the store yet, or null. */
  synchronized @Nullable SignOfLife takeSign() {
    if (!unreported || ended) {
      return null;
    }
    unreported = false;
    return new SignOfLife(key(), done, total, null);
  }

  /** The sign that was taken did not reach the store. */
  synchronized void returnSign() {
    unreported = true;
  }
}
