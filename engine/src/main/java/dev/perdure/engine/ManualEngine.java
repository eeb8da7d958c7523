// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An engine without threads: each method runs one bounded piece of work. For tests and simulations
 * that choose the order of events. Do not call {@link Engine#start()} on it.
 */
public final class ManualEngine {

  private final Engine engine;
  private final NodeComponents node;

  ManualEngine(Engine engine, NodeComponents node) {
    this.engine = engine;
    this.node = node;
  }

  /** The engine, to register handlers, submit and read. */
  public Engine engine() {
    return engine;
  }

  /** Renews the node's row, or joins; nothing is claimed before the first call. */
  public void renew() {
    node.leaseKeeper.runOnce();
  }

  /**
   * Stops the node's own work when its renewal is overdue, and each handler that is inactive for
   * its timeout. Never asks the store.
   */
  public void watch() {
    node.watch();
  }

  /**
   * Hands back leases that the node holds without knowing them; returns how many leases it checked.
   */
  public int reconcile() {
    return node.reconcile();
  }

  /** Claims as many tasks as there are slots and starts them; returns how many. */
  public int claim() {
    return node.claimer.runOnce().tasks();
  }

  /** Claims, and returns how long until more tasks may be due; null when unknown. */
  public @Nullable Duration claimAndReturnNextDue() {
    return node.claimer.runOnce().nextDue();
  }

  /** Writes one batch of ended attempts; returns how many. */
  public int settle() {
    return node.settler.runOnce();
  }

  /** Writes the heartbeats of running attempts; returns how many. */
  public int sendHeartbeats() {
    return node.heartbeatReporter.runOnce();
  }

  /** Times out inactive callees and attempts that no node runs; returns how many. */
  public int timeOut() {
    return node.timeOut();
  }

  /** Fails tasks whose deadline has passed; returns how many. */
  public int expire() {
    return node.expirer.runOnce();
  }

  /**
   * Tells tasks how the tasks they depend on ended; returns 0 when there is nothing left to do now.
   */
  public int propagate() {
    return node.propagator.runOnce();
  }

  /** Ends runs of batches and starts those that are due; returns how many. */
  public int retryBatches() {
    return node.batchRetrier.runOnce();
  }

  /** Stores declared schedules and fires those that are due; returns how many it looked at. */
  public int fireSchedules() {
    node.scheduler.storeDeclared(engine().schedules());
    return node.scheduler.runOnce();
  }

  /** How long until the next schedule fires, at most this long. */
  public Duration untilNextFiring(Duration most) {
    return node.scheduler.untilNext(most);
  }

  /** Frees the tasks of dead nodes; returns how many. */
  public int reap() {
    return node.reaper.runOnce();
  }

  /** Writes results of deliveries and claims more; returns how many deliveries that were. */
  public int deliver() {
    return node.deliveryDispatcher == null ? 0 : node.deliveryDispatcher.runOnce();
  }

  /** Purges ended tasks; returns how many. */
  public int purge(int limit) {
    return node.purge(limit);
  }

  /** Reports to the store what the node does. */
  public void reportLoad() {
    node.reportLoad();
  }

  /** Writes the rollups of what was counted; returns how long to wait for the next time. */
  public Duration writeRollups() {
    return node.rollupWriter.runOnce();
  }

  /** Purges expired submission keys; returns how many. */
  public int purgeSubmissionKeys(int limit) {
    return node.purgeSubmissionKeys(limit);
  }

  /** Checks some of the limits; returns how many it corrected. */
  public int sweepLimits() {
    return node.sweepLimits();
  }

  /** How many attempts this node holds whose end is not durable. */
  public int unsettled() {
    return node.inFlight.unsettled();
  }

  /** Claims nothing more, as a graceful stop does first. */
  public void stopClaiming() {
    node.claimer.stop();
  }

  /** Interrupts all handlers; unfinished attempts are handed back. */
  public void interruptAll() {
    node.interruptAll();
  }

  /** Hands back attempts whose handlers ignore the interrupt. */
  public void handBackRemaining() {
    node.handBackRemaining();
  }

  /** Hands back leases that do not run, and deletes the node's row. */
  public void leave() {
    node.leaseKeeper.leave();
  }

  /** The wait of a loop after its nth failure in a row, from 0. */
  public static Duration waitAfterFailure(int n) {
    return Loop.waitAfterFailure(n);
  }
}
