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
import java.util.LinkedHashSet;
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
 *
 * <p>The comparison belongs to each renewal and asks the store nothing. Handing back does, and has
 * its own time: however much there is of it, the row is renewed.
 */
final class Reconciler {

  static final int MOST_AT_ONCE = 100;

  private final TaskStore store;
  private final InFlight inFlight;
  private final Lifecycle lifecycle;
  private final Changes changes;
  private final ClaimTickets tickets = new ClaimTickets();
  private final Map<LeaseKey, Sighting> unaccounted = new HashMap<>();

  /** Ids whose rows ran out and under which something may still be held. */
  private final Set<UUID> former = new LinkedHashSet<>();

  /**
   * A lease that is held and does not run here.
   *
   * @param node the id that holds it
   * @param drawn the claims that could have brought it, drawn when it was first seen
   */
  private record Sighting(UUID node, long drawn) {}

  Reconciler(TaskStore store, InFlight inFlight, Lifecycle lifecycle, Changes changes) {
    this.store = store;
    this.inFlight = inFlight;
    this.lifecycle = lifecycle;
    this.changes = changes;
  }

  ClaimTickets tickets() {
    return tickets;
  }

  /** What runs here now; to be asked before the database is. */
  List<Running> running() {
    return inFlight.all();
  }

  /** The node must not work under this id: what it runs under it is interrupted. */
  void stopAll(UUID node) {
    inFlight.stopAll(node);
  }

  /** The row of this id ran out: all it ever held is to be handed back. */
  void lapsed(UUID node) {
    stopAll(node);
    synchronized (this) {
      former.add(node);
    }
  }

  /** The database says what the node holds. */
  void compare(UUID node, List<Running> runningBefore, List<LeaseKey> held) {
    Set<LeaseKey> known = new HashSet<>(held);
    runningBefore.stream()
        .filter(running -> running.node().equals(node) && !known.contains(running.key()))
        .forEach(Running::lost);
    see(node, known);
  }

  private synchronized void see(UUID node, Set<LeaseKey> held) {
    long drawn = tickets.drawn();
    unaccounted
        .entrySet()
        .removeIf(seen -> seen.getValue().node().equals(node) && !held.contains(seen.getKey()));
    for (LeaseKey key : held) {
      if (inFlight.find(key) == null) {
        unaccounted.putIfAbsent(key, new Sighting(node, drawn));
      }
    }
  }

  /** Hands back one batch of what is held and does not run; tells how many leases it looked at. */
  int runOnce() {
    for (UUID node : formerIds()) {
      see(node, new HashSet<>(heldUnderFormer(node)));
    }
    List<LeaseKey> lost = lost();
    handBack(lost);
    return lost.size();
  }

  private synchronized List<UUID> formerIds() {
    return List.copyOf(former);
  }

  /**
   * A claim whose answer was lost in an outage that outlived the row: nobody else can know that it
   * never ran.
   */
  private List<LeaseKey> heldUnderFormer(UUID node) {
    List<LeaseKey> left = store.nodes().held(node);
    if (left.isEmpty()) {
      synchronized (this) {
        former.remove(node);
      }
    }
    return left;
  }

  /** What no claim that is still on its way could have brought. */
  private synchronized List<LeaseKey> lost() {
    unaccounted.keySet().removeIf(key -> inFlight.find(key) != null);
    return unaccounted.entrySet().stream()
        .filter(seen -> tickets.allBackUpTo(seen.getValue().drawn()))
        .map(Map.Entry::getKey)
        // Once more: between the two questions the claim may have come back with it.
        .filter(key -> inFlight.find(key) == null)
        .limit(MOST_AT_ONCE)
        .toList();
  }

  private void handBack(List<LeaseKey> lost) {
    List<Task> tasks = new ArrayList<>();
    for (LeaseKey key : lost) {
      store
          .reader()
          .find(key.task())
          .filter(task -> task.epoch() == key.epoch() && isStillHeld(task))
          .ifPresent(tasks::add);
    }
    changes.write(tasks, (task, now) -> lifecycle.settle(task, new Outcome.HandedBack(), now));
    synchronized (this) {
      lost.forEach(unaccounted::remove);
    }
  }

  /** What was entrusted since it was seen is a callee's, though its lease is the same. */
  private static boolean isStillHeld(Task task) {
    return task.state().isHeld() && task.worker() != null;
  }

  /**
   * Nothing is claimed any more, and what a claim still brings is not run: hands back everything
   * that is held under any id of this node and does not run.
   */
  void leave(UUID node) {
    Set<UUID> ids = new LinkedHashSet<>(formerIds());
    ids.add(node);
    for (UUID id : ids) {
      List<LeaseKey> lost =
          store.nodes().held(id).stream().filter(key -> inFlight.find(key) == null).toList();
      for (int from = 0; from < lost.size(); from += MOST_AT_ONCE) {
        handBack(lost.subList(from, Math.min(lost.size(), from + MOST_AT_ONCE)));
      }
    }
  }
}
