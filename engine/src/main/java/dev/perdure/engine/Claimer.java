// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes due work, never more than there are free slots, and starts it at once. */
final class Claimer {

  private final TaskStore store;
  private final NodeLeaseKeeper leaseKeeper;
  private final InFlightAttempts inFlightAttempts;
  private final Runner runner;
  private final EngineEnvironment.MonotonicClock monotonicClock;
  private final EngineListener listener;
  private volatile boolean stopped;

  Claimer(
      TaskStore store,
      NodeLeaseKeeper keeper,
      InFlightAttempts inFlightAttempts,
      Runner runner,
      EngineEnvironment.MonotonicClock monotonicClock,
      EngineListener listener) {
    this.store = store;
    this.leaseKeeper = keeper;
    this.inFlightAttempts = inFlightAttempts;
    this.runner = runner;
    this.monotonicClock = monotonicClock;
    this.listener = listener;
  }

  /**
   * What one claim brought.
   *
   * @param tasks how many
   * @param nextDue how long until more is due, or null when that is not known
   */
  record ClaimSummary(int tasks, @Nullable Duration nextDue) {

    static final ClaimSummary NOTHING = new ClaimSummary(0, null);
  }

  /** Takes nothing more; what a claim under way still brings is handed back. */
  void stop() {
    stopped = true;
  }

  ClaimSummary runOnce() {
    UUID node = leaseKeeper.activeNode();
    List<ClaimRequest.QueueCapacity> queueCapacities = inFlightAttempts.slots().freeCapacity();
    if (stopped || node == null || queueCapacities.isEmpty()) {
      return ClaimSummary.NOTHING;
    }
    int limit = Math.min(inFlightAttempts.slots().free(), ClaimRequest.MAX_TASKS);
    ClaimRequest request =
        new ClaimRequest(new LeaseOwner.NodeOwner(node), queueCapacities, limit, true);
    leaseKeeper.outstandingClaims().begin();
    try {
      Duration before = monotonicClock.now();
      ClaimResult claimResult = store.claim(request);
      Duration after = monotonicClock.now();
      boolean inTime = leaseKeeper.isInTime(before);
      claimResult
          .leases()
          .forEach(
              lease -> start(new RunningAttempt(node, lease, claimResult.now(), after), inTime));
      listener.onClaimed(claimResult.leases().size(), after.minus(before));
      return new ClaimSummary(claimResult.leases().size(), claimResult.nextDue());
    } catch (StoreException problem) {
      listener.onStoreError("claim", problem);
      throw problem;
    } finally {
      leaseKeeper.outstandingClaims().end();
    }
  }

  private void start(RunningAttempt runningAttempt, boolean inTime) {
    inFlightAttempts.add(runningAttempt);
    if (inTime && !stopped && runningAttempt.node().equals(leaseKeeper.activeNode())) {
      listener.onStarted(runningAttempt.lease(), runningAttempt.claimedAt());
      runner.start(runningAttempt);
    } else {
      // The node stops; or the answer took so long that it had to stop its own work meanwhile, or
      // that the task may have been canceled and be running elsewhere.
      runner.end(runningAttempt, new Outcome.HandedBack());
    }
  }
}
