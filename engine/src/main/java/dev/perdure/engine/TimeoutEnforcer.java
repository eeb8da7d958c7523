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
final class TimeoutEnforcer {

  static final int MAX_BATCH_SIZE = 100;

  /** How long a handler that timed out may take to obey its interrupt. */
  static final Duration TIMEOUT_GRACE = Duration.ofSeconds(1);

  /** The same when the node stopped itself: nobody else may run its tasks so soon. */
  static final Duration NODE_STOP_GRACE = Duration.ofSeconds(5);

  /** How long a callee may take to answer a call that nobody wants any more. */
  static final Duration CALL_GRACE = Duration.ofSeconds(5);

  private final TaskStore store;
  private final NodeLeaseKeeper leaseKeeper;
  private final TaskLifecycle taskLifecycle;
  private final ChangeWriter changeWriter;
  private final InFlightAttempts inFlightAttempts;
  private final Runner runner;
  private final Map<RunningAttempt, Duration> stoppedAt = new HashMap<>();

  TimeoutEnforcer(
      TaskStore store,
      NodeLeaseKeeper keeper,
      TaskLifecycle taskLifecycle,
      ChangeWriter changeWriter,
      InFlightAttempts inFlightAttempts,
      Runner runner) {
    this.store = store;
    this.leaseKeeper = keeper;
    this.taskLifecycle = taskLifecycle;
    this.changeWriter = changeWriter;
    this.inFlightAttempts = inFlightAttempts;
    this.runner = runner;
  }

  /** Judges what runs here at this time of the node's clock. Never asks the store. */
  void watch(Duration now) {
    List<RunningAttempt> all = inFlightAttempts.all();
    stoppedAt.keySet().retainAll(new HashSet<>(all));
    all.forEach(runningAttempt -> watch(runningAttempt, now));
  }

  private void watch(RunningAttempt runningAttempt, Duration now) {
    RunningAttempt.AttemptStopReason attemptStopReason = runningAttempt.stopReason();
    if (attemptStopReason == null) {
      timeOut(runningAttempt, now);
      return;
    }
    Duration ignored = now.minus(stoppedAt.computeIfAbsent(runningAttempt, first -> now));
    switch (attemptStopReason) {
      case TIMED_OUT -> {
        if (ignored.compareTo(TIMEOUT_GRACE) >= 0) {
          runner.end(runningAttempt, new Outcome.TimedOut());
        }
      }
      case NODE_STOPPING -> {
        if (ignored.compareTo(NODE_STOP_GRACE) >= 0) {
          handBackOrTimeOut(runningAttempt, now);
        }
      }
      case LEASE_LOST -> {
        if (ignored.compareTo(CALL_GRACE) >= 0) {
          runningAttempt.interruptCall();
        }
      }
    }
  }

  private void timeOut(RunningAttempt runningAttempt, Duration now) {
    if (runningAttempt.timeOut(now)) {
      stoppedAt.put(runningAttempt, now);
    }
  }

  /** The handler does not care that the node stopped itself. */
  private void handBackOrTimeOut(RunningAttempt runningAttempt, Duration now) {
    if (leaseKeeper.holds(runningAttempt.node())) {
      // The node may yet go on with it, or does already.
      timeOut(runningAttempt, now);
    } else {
      runner.end(runningAttempt, new Outcome.HandedBack());
    }
  }

  /** One batch of callees, and one of what no node runs; tells how many attempts were ended. */
  int sweep(Duration now) {
    // After an outage those elsewhere must have had the time to be heard.
    if (!leaseKeeper.isSteady()) {
      return 0;
    }
    return timeOutCallees(now)
        + changeWriter.write(store.maintenance().inactive(MAX_BATCH_SIZE), taskLifecycle::timeOut);
  }

  private int timeOutCallees(Duration now) {
    List<RunningAttempt> silent =
        inFlightAttempts.all().stream()
            .filter(runningAttempt -> runningAttempt.isInactiveCallee(now))
            .limit(MAX_BATCH_SIZE)
            .toList();
    if (silent.isEmpty()) {
      return 0;
    }
    List<Task> tasks = silent.stream().map(this::asStored).flatMap(Optional::stream).toList();
    Instant databaseTime = silent.getFirst().databaseTime(now);
    int ended = changeWriter.write(new TaskSnapshot(tasks, databaseTime), taskLifecycle::timeOut);
    for (Task task : tasks) {
      RunningAttempt runningAttempt = inFlightAttempts.find(task.lease());
      if (runningAttempt != null) {
        runningAttempt.activityAt(
            now.minus(Duration.between(task.times().updatedAt(), databaseTime)));
      }
    }
    return ended;
  }

  /** With all that the callee has said; none when the attempt is no longer this node's. */
  private Optional<Task> asStored(RunningAttempt runningAttempt) {
    return store
        .reader()
        .find(runningAttempt.task().id())
        .filter(task -> task.lease().equals(runningAttempt.key()) && task.worker() != null);
  }
}
