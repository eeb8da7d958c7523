// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.Claimed;
import dev.perdure.engine.store.Holder;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes due work, never more than there are free slots, and starts it at once. */
final class Claimer {

  private final TaskStore store;
  private final LeaseKeeper keeper;
  private final InFlight inFlight;
  private final Runner runner;
  private final Sources.Monotonic monotonic;
  private final EngineListener listener;
  private volatile boolean stopped;

  Claimer(
      TaskStore store,
      LeaseKeeper keeper,
      InFlight inFlight,
      Runner runner,
      Sources.Monotonic monotonic,
      EngineListener listener) {
    this.store = store;
    this.keeper = keeper;
    this.inFlight = inFlight;
    this.runner = runner;
    this.monotonic = monotonic;
    this.listener = listener;
  }

  /**
   * What one claim brought.
   *
   * @param tasks how many
   * @param nextDue how long until more is due, or null when that is not known
   */
  record Catch(int tasks, @Nullable Duration nextDue) {

    static final Catch NOTHING = new Catch(0, null);
  }

  /** Takes nothing more; what a claim under way still brings is handed back. */
  void stop() {
    stopped = true;
  }

  Catch runOnce() {
    UUID node = keeper.nodeThatMayWork();
    List<ClaimRequest.Room> rooms = inFlight.slots().rooms();
    if (stopped || node == null || rooms.isEmpty()) {
      return Catch.NOTHING;
    }
    int limit = Math.min(inFlight.slots().free(), ClaimRequest.MOST_TASKS);
    ClaimRequest request = new ClaimRequest(new Holder.OfNode(node), rooms, limit, true);
    keeper.tickets().draw();
    try {
      Duration before = monotonic.now();
      Claimed claimed = store.claim(request);
      Duration after = monotonic.now();
      boolean inTime = keeper.isInTime(before);
      claimed
          .leases()
          .forEach(lease -> start(new Running(node, lease, claimed.now(), after), inTime));
      listener.onClaimAnswered(claimed.leases().size(), after.minus(before));
      return new Catch(claimed.leases().size(), claimed.nextDue());
    } catch (StoreException problem) {
      listener.onStoreError("claim", problem);
      throw problem;
    } finally {
      keeper.tickets().giveBack();
    }
  }

  private void start(Running running, boolean inTime) {
    inFlight.add(running);
    if (inTime && !stopped && running.node().equals(keeper.nodeThatMayWork())) {
      listener.onStarted(running.lease(), running.claimedAt());
      runner.start(running);
    } else {
      // The node stops; or the answer took so long that it had to stop its own work meanwhile, or
      // that the task may have been canceled and be running elsewhere.
      runner.end(running, new Outcome.HandedBack());
    }
  }
}
