// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An engine without threads: each part does one bounded piece of work when it is told to. For tests
 * and simulations that want to say what happens when; {@link Engine#start()} is never called on it.
 */
public final class ManualEngine {

  private final Engine engine;
  private final NodeComponents nodeComponents;

  ManualEngine(Engine engine, NodeComponents nodeComponents) {
    this.engine = engine;
    this.nodeComponents = nodeComponents;
  }

  /** To register, submit and ask. */
  public Engine engine() {
    return engine;
  }

  /** Renews the node's row, or joins; nothing is claimed before the first one. */
  public void renew() {
    nodeComponents.leaseKeeper.runOnce();
  }

  /**
   * Stops the node's own work when its renewal is overdue, and each handler that is silent for too
   * long. Never asks the store.
   */
  public void watch() {
    nodeComponents.watch();
  }

  /** Hands back what the node holds without knowing; tells how many leases it looked at. */
  public int reconcile() {
    return nodeComponents.reconcile();
  }

  /** Claims what there is room for, and starts it; tells how many. */
  public int claim() {
    return nodeComponents.claimer.runOnce().tasks();
  }

  /** Claims, and tells how long until more may be due; null when that is not known. */
  public @Nullable Duration claimAndReturnNextDue() {
    return nodeComponents.claimer.runOnce().nextDue();
  }

  /** Writes one batch of ends; tells how many. */
  public int settle() {
    return nodeComponents.settler.runOnce();
  }

  /** Tells the store which attempts are alive; tells how many. */
  public int sendHeartbeats() {
    return nodeComponents.heartbeatReporter.runOnce();
  }

  /** Ends calls, and attempts that no node runs, that are silent for too long; tells how many. */
  public int timeOut() {
    return nodeComponents.timeOut();
  }

  /** Ends what is past its deadline; tells how many. */
  public int expire() {
    return nodeComponents.expirer.runOnce();
  }

  /** Moves on what dead nodes held; tells how many. */
  public int reap() {
    return nodeComponents.reaper.runOnce();
  }

  /** Writes how deliveries went and takes more; tells how many it had to do with. */
  public int deliver() {
    return nodeComponents.deliveryDispatcher == null
        ? 0
        : nodeComponents.deliveryDispatcher.runOnce();
  }

  /** Deletes a batch of what ended long ago; tells how many tasks. */
  public int purge(int limit) {
    return nodeComponents.purge(limit);
  }

  /** Deletes some of the keys of submissions that are free again; tells how many. */
  public int purgeSubmissionKeys(int limit) {
    return nodeComponents.purgeSubmissionKeys(limit);
  }

  /** How many attempts this node holds, those included whose end is not durable yet. */
  public int unsettled() {
    return nodeComponents.inFlight.unsettled();
  }

  /** Claims nothing more, as at the beginning of a graceful stop. */
  public void stopClaiming() {
    nodeComponents.claimer.stop();
  }

  /** Interrupts every handler; what they leave undone is handed back. */
  public void interruptAll() {
    nodeComponents.interruptAll();
  }

  /** Hands back what still runs although it was interrupted. */
  public void handBackRemaining() {
    nodeComponents.handBackRemaining();
  }

  /** Hands back what is held and does not run, and gives up the node's row. */
  public void leave() {
    nodeComponents.leaseKeeper.leave();
  }

  /** How long a part waits after its n-th failure in a row, counted from 0. */
  public static Duration waitAfterFailure(int n) {
    return Loop.waitAfterFailure(n);
  }
}
