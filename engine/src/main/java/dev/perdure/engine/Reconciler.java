// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.LeaseKey;
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
 * second, see {@link OutstandingClaims}.
 *
 * <p>The comparison belongs to each renewal and asks the store nothing. Handing back does, and has
 * its own time: however much there is of it, the row is renewed.
 */
final class Reconciler {

  static final int MAX_BATCH_SIZE = 100;

  private final TaskStore store;
  private final InFlightAttempts inFlightAttempts;
  private final TaskLifecycle taskLifecycle;
  private final ChangeWriter changeWriter;
  private final OutstandingClaims outstandingClaims = new OutstandingClaims();
  private final Map<LeaseKey, UnknownLease> unknownLeases = new HashMap<>();

  /** Ids whose rows ran out and under which something may still be held. */
  private final Set<UUID> expiredNodeIds = new LinkedHashSet<>();

  /**
   * A lease that is held and does not run here.
   *
   * @param node the id that holds it
   * @param claimsBegun the claims that could have brought it, drawn when it was first seen
   */
  private record UnknownLease(UUID node, long claimsBegun) {}

  Reconciler(
      TaskStore store,
      InFlightAttempts inFlightAttempts,
      TaskLifecycle taskLifecycle,
      ChangeWriter changeWriter) {
    this.store = store;
    this.inFlightAttempts = inFlightAttempts;
    this.taskLifecycle = taskLifecycle;
    this.changeWriter = changeWriter;
  }

  OutstandingClaims outstandingClaims() {
    return outstandingClaims;
  }

  /** What runs here now; to be asked before the database is. */
  List<RunningAttempt> running() {
    return inFlightAttempts.all();
  }

  /** The node must not work under this id: what it runs under it is interrupted. */
  void stopAll(UUID node) {
    inFlightAttempts.stopAll(node);
  }

  /** The row of this id ran out: all it ever held is to be handed back. */
  void nodeExpired(UUID node) {
    stopAll(node);
    synchronized (this) {
      expiredNodeIds.add(node);
    }
  }

  /** The database says what the node holds. */
  void compare(UUID node, List<RunningAttempt> runningBefore, List<LeaseKey> held) {
    Set<LeaseKey> known = new HashSet<>(held);
    runningBefore.stream()
        .filter(
            runningAttempt ->
                runningAttempt.node().equals(node) && !known.contains(runningAttempt.key()))
        .forEach(RunningAttempt::leaseLost);
    trackUnknown(node, known);
  }

  private synchronized void trackUnknown(UUID node, Set<LeaseKey> held) {
    long drawn = outstandingClaims.begun();
    unknownLeases
        .entrySet()
        .removeIf(seen -> seen.getValue().node().equals(node) && !held.contains(seen.getKey()));
    for (LeaseKey key : held) {
      if (inFlightAttempts.find(key) == null) {
        unknownLeases.putIfAbsent(key, new UnknownLease(node, drawn));
      }
    }
  }

  /** Hands back one batch of what is held and does not run; tells how many leases it looked at. */
  int runOnce() {
    for (UUID node : expiredNodes()) {
      trackUnknown(node, new HashSet<>(leasesOfExpired(node)));
    }
    List<LeaseKey> lost = lostLeases();
    handBack(lost);
    return lost.size();
  }

  private synchronized List<UUID> expiredNodes() {
    return List.copyOf(expiredNodeIds);
  }

  /**
   * A claim whose answer was lost in an outage that outlived the row: nobody else can know that it
   * never ran.
   */
  private List<LeaseKey> leasesOfExpired(UUID node) {
    List<LeaseKey> left = store.nodes().leasesOf(node);
    if (left.isEmpty()) {
      synchronized (this) {
        expiredNodeIds.remove(node);
      }
    }
    return left;
  }

  /** What no claim that is still on its way could have brought. */
  private synchronized List<LeaseKey> lostLeases() {
    unknownLeases.keySet().removeIf(key -> inFlightAttempts.find(key) != null);
    return unknownLeases.entrySet().stream()
        .filter(seen -> outstandingClaims.allEndedUpTo(seen.getValue().claimsBegun()))
        .map(Map.Entry::getKey)
        // Once more: between the two questions the claim may have come back with it.
        .filter(key -> inFlightAttempts.find(key) == null)
        .limit(MAX_BATCH_SIZE)
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
    changeWriter.write(
        tasks, (task, now) -> taskLifecycle.settle(task, new Outcome.HandedBack(), now));
    synchronized (this) {
      lost.forEach(unknownLeases::remove);
    }
  }

  /** What was entrusted since it was seen is a callee's, though its lease is the same. */
  private static boolean isStillHeld(Task task) {
    return task.state().isLeased() && task.worker() != null;
  }

  /**
   * Nothing is claimed any more, and what a claim still brings is not run: hands back everything
   * that is held under any id of this node and does not run.
   */
  void leave(UUID node) {
    Set<UUID> ids = new LinkedHashSet<>(expiredNodes());
    ids.add(node);
    for (UUID id : ids) {
      List<LeaseKey> lost =
          store.nodes().leasesOf(id).stream()
              .filter(key -> inFlightAttempts.find(key) == null)
              .toList();
      for (int from = 0; from < lost.size(); from += MAX_BATCH_SIZE) {
        handBack(lost.subList(from, Math.min(lost.size(), from + MAX_BATCH_SIZE)));
      }
    }
  }
}
