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
  private final Node node;

  ManualEngine(Engine engine, Node node) {
    this.engine = engine;
    this.node = node;
  }

  /** To register, submit and ask. */
  public Engine engine() {
    return engine;
  }

  /** Renews the node's row, or joins; nothing is claimed before the first one. */
  public void renew() {
    node.keeper.runOnce();
  }

  /**
   * Stops the node's own work when its renewal is overdue, and each handler that is silent for too
   * long. Never asks the store.
   */
  public void watch() {
    node.watch();
  }

  /** Hands back what the node holds without knowing; tells how many leases it looked at. */
  public int reconcile() {
    return node.reconcile();
  }

  /** Claims what there is room for, and starts it; tells how many. */
  public int claim() {
    return node.claimer.runOnce().tasks();
  }

  /** Claims, and tells how long until more may be due; null when that is not known. */
  public @Nullable Duration claimAndTellNextDue() {
    return node.claimer.runOnce().nextDue();
  }

  /** Writes one batch of ends; tells how many. */
  public int settle() {
    return node.settler.runOnce();
  }

  /** Tells the store which attempts are alive; tells how many. */
  public int report() {
    return node.reporter.runOnce();
  }

  /** Ends calls, and attempts that no node runs, that are silent for too long; tells how many. */
  public int timeOut() {
    return node.timeOut();
  }

  /** Ends what is past its deadline; tells how many. */
  public int expire() {
    return node.expirer.runOnce();
  }

  /** Moves on what dead nodes held; tells how many. */
  public int reap() {
    return node.reaper.runOnce();
  }

  /** Writes how deliveries went and takes more; tells how many it had to do with. */
  public int deliver() {
    return node.deliverer == null ? 0 : node.deliverer.runOnce();
  }

  /** Deletes a batch of what ended long ago; tells how many tasks. */
  public int purge(int limit) {
    return node.purge(limit);
  }

  /** Deletes some of the keys of submissions that are free again; tells how many. */
  public int forget(int limit) {
    return node.forget(limit);
  }

  /** How many attempts this node holds, those included whose end is not durable yet. */
  public int held() {
    return node.inFlight.unsettled();
  }

  /** Claims nothing more, as at the beginning of a graceful stop. */
  public void stopClaiming() {
    node.claimer.stop();
  }

  /** Interrupts every handler; what they leave undone is handed back. */
  public void interruptAll() {
    node.interruptAll();
  }

  /** Hands back what still runs although it was interrupted. */
  public void handBackTheRest() {
    node.handBackTheRest();
  }

  /** Hands back what is held and does not run, and gives up the node's row. */
  public void leave() {
    node.keeper.leave();
  }

  /** How long a part waits after its n-th failure in a row, counted from 0. */
  public static Duration waitAfterFailure(int n) {
    return Loop.waitAfterFailure(n);
  }
}
