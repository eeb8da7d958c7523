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
 * Compares the leases that the database shows for this node with the attempts that run here. A
 * lease that does not run, because the answer to its claim was lost, is handed back. An attempt
 * whose lease is no longer held is interrupted.
 *
 * <p>Two differences are normal: an attempt that was claimed after the database was read runs but
 * is not in the answer, and a lease whose claim is just being answered is in the answer but does
 * not run yet. For the first, only attempts that ran before the question are interrupted. For the
 * second, see {@link OutstandingClaims}.
 *
 * <p>The comparison is part of each renewal and does not ask the store. Handing back does, in a
 * loop of its own, so that the row is renewed however much there is to hand back.
 */
final class Reconciler {

  static final int MAX_BATCH_SIZE = 100;

  private final TaskStore store;
  private final InFlightAttempts inFlight;
  private final TaskLifecycle lifecycle;
  private final ChangeWriter changeWriter;
  private final OutstandingClaims outstandingClaims = new OutstandingClaims();
  private final Map<LeaseKey, UnknownLease> unknownLeases = new HashMap<>();

  /** Ids of this node whose rows have expired and that may still hold leases. */
  private final Set<UUID> expiredNodeIds = new LinkedHashSet<>();

  /**
   * A lease that is held and does not run here.
   *
   * @param node the id that holds it
   * @param claimsBegun how many claims had begun when it was first seen; any of them may have
   *     brought it
   */
  private record UnknownLease(UUID node, long claimsBegun) {}

  Reconciler(
      TaskStore store,
      InFlightAttempts inFlight,
      TaskLifecycle lifecycle,
      ChangeWriter changeWriter) {
    this.store = store;
    this.inFlight = inFlight;
    this.lifecycle = lifecycle;
    this.changeWriter = changeWriter;
  }

  OutstandingClaims outstandingClaims() {
    return outstandingClaims;
  }

  /** The attempts that run here now; call it before you ask the database. */
  List<RunningAttempt> running() {
    return inFlight.all();
  }

  /** The node must not work under this id; its attempts are interrupted. */
  void stopAll(UUID node) {
    inFlight.stopAll(node);
  }

  /** The row of this id has expired; everything it held is handed back. */
  void nodeExpired(UUID node) {
    stopAll(node);
    synchronized (this) {
      expiredNodeIds.add(node);
    }
  }

  /** Compares with the leases that the database shows. */
  void compare(UUID node, List<RunningAttempt> runningBefore, List<LeaseKey> held) {
    Set<LeaseKey> known = new HashSet<>(held);
    runningBefore.stream()
        .filter(running -> running.node().equals(node) && !known.contains(running.key()))
        .forEach(RunningAttempt::leaseLost);
    trackUnknown(node, known);
  }

  private synchronized void trackUnknown(UUID node, Set<LeaseKey> held) {
    long claimsBegun = outstandingClaims.begun();
    unknownLeases
        .entrySet()
        .removeIf(seen -> seen.getValue().node().equals(node) && !held.contains(seen.getKey()));
    for (LeaseKey key : held) {
      if (inFlight.find(key) == null) {
        unknownLeases.putIfAbsent(key, new UnknownLease(node, claimsBegun));
      }
    }
  }

  /** Hands back one batch of leases that do not run; returns how many leases it checked. */
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
   * The leases of an expired id. They come from a claim whose answer was lost in an outage that
   * outlived the row; only this node knows that they never ran.
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

  /** The unknown leases that no outstanding claim can have brought. */
  private synchronized List<LeaseKey> lostLeases() {
    unknownLeases.keySet().removeIf(key -> inFlight.find(key) != null);
    return unknownLeases.entrySet().stream()
        .filter(seen -> outstandingClaims.allEndedUpTo(seen.getValue().claimsBegun()))
        .map(Map.Entry::getKey)
        // Checked again: the claim may have returned between the two checks.
        .filter(key -> inFlight.find(key) == null)
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
    changeWriter.write(tasks, (task, now) -> lifecycle.settle(task, new Outcome.HandedBack(), now));
    synchronized (this) {
      lost.forEach(unknownLeases::remove);
    }
  }

  /** A task that was handed off since then belongs to a callee, although its lease is the same. */
  private static boolean isStillHeld(Task task) {
    return task.state().isLeased() && task.worker() != null;
  }

  /**
   * Hands back everything that any id of this node holds and that does not run. Claims must have
   * stopped.
   */
  void leave(UUID node) {
    Set<UUID> ids = new LinkedHashSet<>(expiredNodes());
    ids.add(node);
    for (UUID id : ids) {
      List<LeaseKey> lost =
          store.nodes().leasesOf(id).stream().filter(key -> inFlight.find(key) == null).toList();
      for (int from = 0; from < lost.size(); from += MAX_BATCH_SIZE) {
        handBack(lost.subList(from, Math.min(lost.size(), from + MAX_BATCH_SIZE)));
      }
    }
  }
}
