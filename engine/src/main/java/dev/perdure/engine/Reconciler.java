// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Lifecycle;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Compares what the database says this node holds with what it really runs. What it does not run,
 * because the answer to a claim was lost, is handed back. What it no longer holds is interrupted.
 *
 * <p>Two things happen all the time and must not be mistaken for trouble: an attempt claimed after
 * the database looked is run but not held; an attempt whose claim is just being answered is held
 * but not run. For the first, only what ran before the question was sent is interrupted. For the
 * second, see {@link ClaimTickets}.
 */
final class Reconciler {

  private final TaskStore store;
  private final InFlight inFlight;
  private final Lifecycle lifecycle;
  private final ClaimTickets tickets = new ClaimTickets();
  private final Map<LeaseKey, Long> unaccounted = new HashMap<>();

  Reconciler(TaskStore store, InFlight inFlight, Lifecycle lifecycle) {
    this.store = store;
    this.inFlight = inFlight;
    this.lifecycle = lifecycle;
  }

  ClaimTickets tickets() {
    return tickets;
  }

  /** What runs here now; to be asked before the database is. */
  List<Running> running() {
    return inFlight.all();
  }

  /** The node no longer holds its row: what it ran under this id ends here. */
  void stopAll(UUID node) {
    synchronized (this) {
      unaccounted.clear();
    }
    inFlight.stopAll(node);
  }

  void compare(UUID node, List<Running> runningBefore, List<LeaseKey> held) {
    Set<LeaseKey> known = new HashSet<>(held);
    runningBefore.stream()
        .filter(running -> running.node().equals(node) && !known.contains(running.key()))
        .forEach(Running::lost);
    handBack(notRun(held, known));
  }

  private synchronized List<LeaseKey> notRun(List<LeaseKey> held, Set<LeaseKey> known) {
    long drawn = tickets.drawn();
    unaccounted.keySet().retainAll(known);
    List<LeaseKey> lost = new ArrayList<>();
    for (LeaseKey key : held) {
      if (inFlight.find(key) != null) {
        unaccounted.remove(key);
      } else if (isLost(key, drawn)) {
        lost.add(key);
      }
    }
    return lost;
  }

  /** True when no claim that could have brought the lease is still on its way. */
  private boolean isLost(LeaseKey key, long drawn) {
    long seen = unaccounted.computeIfAbsent(key, unknown -> drawn);
    return tickets.allBackUpTo(seen) && inFlight.find(key) == null;
  }

  private void handBack(List<LeaseKey> lost) {
    List<Task> tasks = new ArrayList<>();
    for (LeaseKey key : lost) {
      store
          .reader()
          .find(key.task())
          .filter(task -> task.epoch() == key.epoch() && task.state().isHeld())
          .ifPresent(tasks::add);
    }
    if (!tasks.isEmpty()) {
      Outcome back = new Outcome.HandedBack();
      store.apply(
          tasks.stream()
              .map(task -> lifecycle.settle(task, back, task.times().updatedAt()))
              .toList());
    }
  }
}
