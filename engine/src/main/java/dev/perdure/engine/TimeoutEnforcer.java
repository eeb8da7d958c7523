// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.TaskSnapshot;
import dev.perdure.engine.spi.TaskStore;
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
 * Ends attempts that are inactive for their timeout.
 *
 * <p>Attempts on this node are checked against the node's own clock and what the handler reported,
 * not against what has reached the store. The handler is interrupted first, and the end is written
 * when it has returned, so that no retry runs beside it. A handler that ignores the interrupt is
 * not waited for, but keeps its slot until it returns.
 *
 * <p>Attempts that no node runs are checked against the store's clock: remote workers, and callees
 * after a hand-off. So is a callee that has the handle but has not answered the call yet: it may
 * report to any node, and only the store sees all of it. Its call is not interrupted before the
 * store agrees.
 */
final class TimeoutEnforcer {

  static final int MAX_BATCH_SIZE = 100;

  /** How long a handler that timed out may take to react to its interrupt. */
  static final Duration TIMEOUT_GRACE = Duration.ofSeconds(1);

  /** The same when the node stopped itself; no other node may run its tasks that soon. */
  static final Duration NODE_STOP_GRACE = Duration.ofSeconds(5);

  /** How long a call may take whose result is no longer wanted. */
  static final Duration CALL_GRACE = Duration.ofSeconds(5);

  private final TaskStore store;
  private final NodeLeaseKeeper leaseKeeper;
  private final TaskLifecycle lifecycle;
  private final ChangeWriter changeWriter;
  private final InFlightAttempts inFlight;
  private final Runner runner;
  private final Map<RunningAttempt, Duration> stoppedAt = new HashMap<>();

  TimeoutEnforcer(
      TaskStore store,
      NodeLeaseKeeper leaseKeeper,
      TaskLifecycle lifecycle,
      ChangeWriter changeWriter,
      InFlightAttempts inFlight,
      Runner runner) {
    this.store = store;
    this.leaseKeeper = leaseKeeper;
    this.lifecycle = lifecycle;
    this.changeWriter = changeWriter;
    this.inFlight = inFlight;
    this.runner = runner;
  }

  /** Checks the attempts that run here at this tick. Never asks the store. */
  void watch(Duration now) {
    List<RunningAttempt> all = inFlight.all();
    stoppedAt.keySet().retainAll(new HashSet<>(all));
    all.forEach(running -> watch(running, now));
  }

  private void watch(RunningAttempt running, Duration now) {
    RunningAttempt.AttemptStopReason reason = running.stopReason();
    if (reason == null) {
      timeOut(running, now);
      return;
    }
    Duration ignored = now.minus(stoppedAt.computeIfAbsent(running, first -> now));
    switch (reason) {
      case TIMED_OUT -> {
        if (ignored.compareTo(TIMEOUT_GRACE) >= 0) {
          runner.end(running, new Outcome.TimedOut());
        }
      }
      case NODE_STOPPING -> {
        if (ignored.compareTo(NODE_STOP_GRACE) >= 0) {
          handBackOrTimeOut(running, now);
        }
      }
      case LEASE_LOST -> {
        if (ignored.compareTo(CALL_GRACE) >= 0) {
          running.interruptCall();
        }
      }
    }
  }

  private void timeOut(RunningAttempt running, Duration now) {
    if (running.timeOut(now)) {
      stoppedAt.put(running, now);
    }
  }

  /** The handler ignores that the node stopped itself. */
  private void handBackOrTimeOut(RunningAttempt running, Duration now) {
    if (leaseKeeper.holds(running.node())) {
      // The node may continue with it, or already does.
      timeOut(running, now);
    } else {
      runner.end(running, new Outcome.HandedBack());
    }
  }

  /**
   * Checks one batch of callees and one batch of attempts that no node runs; returns how many it
   * ended.
   */
  int sweep(Duration now) {
    // After an outage, remote workers must have had the time to send heartbeats.
    if (!leaseKeeper.isSteady()) {
      return 0;
    }
    return timeOutCallees(now)
        + changeWriter.write(store.maintenance().inactive(MAX_BATCH_SIZE), lifecycle::timeOut);
  }

  private int timeOutCallees(Duration now) {
    List<RunningAttempt> inactive =
        inFlight.all().stream()
            .filter(running -> running.isInactiveCallee(now))
            .limit(MAX_BATCH_SIZE)
            .toList();
    if (inactive.isEmpty()) {
      return 0;
    }
    List<Task> tasks = inactive.stream().map(this::asStored).flatMap(Optional::stream).toList();
    Instant databaseTime = inactive.getFirst().databaseTime(now);
    int ended = changeWriter.write(new TaskSnapshot(tasks, databaseTime), lifecycle::timeOut);
    for (Task task : tasks) {
      RunningAttempt running = inFlight.find(task.lease());
      if (running != null) {
        running.activityAt(now.minus(Duration.between(task.times().updatedAt(), databaseTime)));
      }
    }
    return ended;
  }

  /**
   * The task as stored, with all that the callee reported; empty when the node no longer holds the
   * attempt.
   */
  private Optional<Task> asStored(RunningAttempt running) {
    return store
        .reader()
        .find(running.task().id())
        .filter(task -> task.lease().equals(running.key()) && task.worker() != null);
  }
}
