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

/** Claims due tasks, never more than there are free slots, and starts them at once. */
final class Claimer {

  private final TaskStore store;
  private final NodeLeaseKeeper leaseKeeper;
  private final InFlightAttempts inFlight;
  private final Runner runner;
  private final EngineEnvironment.MonotonicClock monotonic;
  private final EngineListener listener;
  private final Runnable beforeFirst;
  private boolean ready;
  private volatile boolean stopped;

  /**
   * @param beforeFirst runs before the first claim, again after a failure
   */
  Claimer(
      TaskStore store,
      NodeLeaseKeeper leaseKeeper,
      InFlightAttempts inFlight,
      Runner runner,
      EngineEnvironment.MonotonicClock monotonic,
      EngineListener listener,
      Runnable beforeFirst) {
    this.store = store;
    this.leaseKeeper = leaseKeeper;
    this.inFlight = inFlight;
    this.runner = runner;
    this.monotonic = monotonic;
    this.listener = listener;
    this.beforeFirst = beforeFirst;
  }

  /**
   * The result of one claim.
   *
   * @param tasks the number of claimed tasks
   * @param nextDue how long until more tasks are due; null when unknown
   */
  record ClaimSummary(int tasks, @Nullable Duration nextDue) {

    static final ClaimSummary NOTHING = new ClaimSummary(0, null);
  }

  /** Claims nothing more; tasks from a claim in progress are handed back. */
  void stop() {
    stopped = true;
  }

  ClaimSummary runOnce() {
    UUID node = leaseKeeper.activeNode();
    List<ClaimRequest.QueueCapacity> capacities = inFlight.slots().freeCapacity();
    if (stopped || node == null || capacities.isEmpty()) {
      return ClaimSummary.NOTHING;
    }
    int limit = Math.min(inFlight.slots().free(), ClaimRequest.MAX_TASKS);
    ClaimRequest request =
        new ClaimRequest(new LeaseOwner.NodeOwner(node), capacities, limit, true);
    leaseKeeper.outstandingClaims().begin();
    try {
      if (!ready) {
        beforeFirst.run();
        ready = true;
      }
      Duration before = monotonic.now();
      ClaimResult claimResult = store.claim(request);
      Duration after = monotonic.now();
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

  private void start(RunningAttempt running, boolean inTime) {
    inFlight.add(running);
    if (inTime && !stopped && running.node().equals(leaseKeeper.activeNode())) {
      listener.onStarted(running.lease(), running.claimedAt());
      runner.start(running);
    } else {
      // The node is stopping. Or the answer came so late that the node had to stop its own work
      // meanwhile, or that the task may have been canceled and be running elsewhere.
      runner.end(running, new Outcome.HandedBack());
    }
  }
}
