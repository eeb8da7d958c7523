// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.Reading;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Lifecycle;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Ends attempts that are silent for too long.
 *
 * <p>What a handler does here is judged here, by the node's own clock: it counts from what the
 * handler said, not from what has reached the store. The handler is interrupted first and its end
 * written when it has returned, so that no retry begins beside it. Who does not obey is not waited
 * for, but keeps its slot until it returns.
 *
 * <p>What no node runs is judged by the store's clock: remote workers, and callees that were called
 * and have not answered. So is a callee that was given the handle and has not answered the call
 * yet: it may report to any node, and only the store hears all of it. Its call is not broken off
 * before the store agrees.
 */
final class Timekeeper {

  static final int MOST_AT_ONCE = 100;

  /** How long a handler that timed out may take to obey its interrupt. */
  static final Duration GRACE = Duration.ofSeconds(1);

  /** The same when the node stopped itself: nobody else may run its tasks so soon. */
  static final Duration GRACE_OF_A_STOP = Duration.ofSeconds(5);

  /** How long a callee may take to answer a call that nobody wants any more. */
  static final Duration GRACE_OF_A_CALL = Duration.ofSeconds(5);

  private final TaskStore store;
  private final LeaseKeeper keeper;
  private final Lifecycle lifecycle;
  private final Changes changes;
  private final InFlight inFlight;
  private final Runner runner;
  private final Map<Running, Duration> stoppedAt = new HashMap<>();

  Timekeeper(
      TaskStore store,
      LeaseKeeper keeper,
      Lifecycle lifecycle,
      Changes changes,
      InFlight inFlight,
      Runner runner) {
    this.store = store;
    this.keeper = keeper;
    this.lifecycle = lifecycle;
    this.changes = changes;
    this.inFlight = inFlight;
    this.runner = runner;
  }

  /** Judges what runs here at this time of the node's clock. Never asks the store. */
  void watch(Duration now) {
    List<Running> all = inFlight.all();
    stoppedAt.keySet().retainAll(new HashSet<>(all));
    all.forEach(running -> watch(running, now));
  }

  private void watch(Running running, Duration now) {
    Running.Stop stop = running.stopped();
    if (stop == null) {
      timeOut(running, now);
      return;
    }
    Duration ignored = now.minus(stoppedAt.computeIfAbsent(running, first -> now));
    switch (stop) {
      case TIMED_OUT -> {
        if (ignored.compareTo(GRACE) >= 0) {
          runner.end(running, new Outcome.TimedOut());
        }
      }
      case NODE_STOPS -> {
        if (ignored.compareTo(GRACE_OF_A_STOP) >= 0) {
          goesOn(running, now);
        }
      }
      case NOT_OURS -> {
        if (ignored.compareTo(GRACE_OF_A_CALL) >= 0) {
          running.breakOff();
        }
      }
    }
  }

  private void timeOut(Running running, Duration now) {
    if (running.timeOut(now)) {
      stoppedAt.put(running, now);
    }
  }

  /** The handler does not care that the node stopped itself. */
  private void goesOn(Running running, Duration now) {
    if (keeper.holds(running.node())) {
      // The node may yet go on with it, or does already.
      timeOut(running, now);
    } else {
      runner.end(running, new Outcome.HandedBack());
    }
  }

  /** One batch of callees, and one of what no node runs; tells how many attempts were ended. */
  int sweep(Duration now) {
    // After an outage those elsewhere must have had the time to be heard.
    if (!keeper.mayJudge()) {
      return 0;
    }
    return endCallees(now) + changes.write(store.sweeps().silent(MOST_AT_ONCE), lifecycle::timeOut);
  }

  private int endCallees(Duration now) {
    List<Running> silent =
        inFlight.all().stream()
            .filter(running -> running.isSilentCallee(now))
            .limit(MOST_AT_ONCE)
            .toList();
    if (silent.isEmpty()) {
      return 0;
    }
    List<Task> tasks = silent.stream().map(this::asStored).flatMap(Optional::stream).toList();
    Instant databaseTime = silent.getFirst().databaseTime(now);
    int ended = changes.write(new Reading(tasks, databaseTime), lifecycle::timeOut);
    for (Task task : tasks) {
      Running running = inFlight.find(task.lease());
      if (running != null) {
        running.heard(now.minus(Duration.between(task.times().updatedAt(), databaseTime)));
      }
    }
    return ended;
  }

  /** With all that the callee has said; none when the attempt is no longer this node's. */
  private Optional<Task> asStored(Running running) {
    return store
        .reader()
        .find(running.task().id())
        .filter(task -> task.lease().equals(running.key()) && task.worker() != null);
  }
}
