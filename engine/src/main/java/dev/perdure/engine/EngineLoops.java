// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The threads of a node: one loop for each of its parts, from start to stop. */
final class EngineLoops {

  private static final Duration WATCH_EVERY = Duration.ofMillis(500);
  private static final Duration REPORT_EVERY = Duration.ofMillis(250);
  private static final Duration SWEEP_EVERY = Duration.ofSeconds(1);

  /** Schedules that are due but locked: another node is firing them. */
  private static final Duration WAIT_FOR_OTHER_NODE = Duration.ofMillis(50);

  private static final Duration SWEEP_LIMITS_EVERY = Duration.ofSeconds(10);
  private static final Duration PURGE_EVERY = Duration.ofMinutes(1);
  private static final Duration IDLE_WAIT = Duration.ofHours(1);
  private static final int PURGE_BATCH_SIZE = 1_000;
  private static final int PURGE_ROLLUPS_BATCH_SIZE = 500;

  private final NodeComponents node;
  private final RemoteWork remote;
  private final List<Loop> others = new ArrayList<>();
  private final CompletableFuture<Boolean> finished = new CompletableFuture<>();
  private @Nullable Loop claiming;
  private @Nullable Loop settling;
  private TaskStore.@Nullable Subscription subscription;
  private boolean started;
  private boolean stopping;

  EngineLoops(NodeComponents node) {
    this.node = node;
    this.remote = new RemoteWork(node, this::wake);
  }

  RemoteWork remote() {
    return remote;
  }

  synchronized void requireNotStarted() {
    if (started) {
      throw new IllegalStateException("the engine has started; register handlers before start()");
    }
  }

  synchronized void start() {
    requireNotStarted();
    started = true;
    Loop claims = Loop.start("claim", this::claim);
    Loop settles = Loop.start("settle", this::settle);
    claiming = claims;
    settling = settles;
    node.settler.setCallbacks(settles::wake, claims::wake);
    Duration renewEvery = node.settings.nodeLease().renewInterval();
    others.add(
        Loop.start(
            "renew",
            () -> {
              node.leaseKeeper.runOnce();
              node.reportLoad();
              claims.wake();
              return renewEvery;
            }));
    others.add(
        Loop.start(
            "watch",
            () -> {
              node.watch();
              return WATCH_EVERY;
            }));
    others.add(every("reconcile", SWEEP_EVERY, node::reconcile));
    others.add(
        every(
            "report",
            REPORT_EVERY,
            () -> {
              node.heartbeatReporter.runOnce();
              return 0;
            }));
    others.add(every("time-out", SWEEP_EVERY, node::timeOut));
    others.add(every("expire", SWEEP_EVERY, node.expirer::runOnce));
    others.add(every("reap", SWEEP_EVERY, node.reaper::runOnce));
    Loop propagates = every("propagate", SWEEP_EVERY, node.propagator::runOnce);
    node.applier.onObserved(propagates::wake);
    node.applier.onLimited(this::wake);
    node.propagator.onReleased(this::wake);
    others.add(propagates);
    others.add(every("retry-batches", SWEEP_EVERY, node.batchRetrier::runOnce));
    node.batchRetrier.onStarted(this::wake);
    others.add(Loop.start("fire-schedules", this::fireSchedules));
    node.scheduler.onFired(this::wake);
    others.add(Loop.start("sweep-limits", this::sweepLimits));
    others.add(Loop.start("purge", this::purge));
    others.add(Loop.start("write-rollups", this::writeRollups));
    startDeliveries();
    subscription =
        node.store.listen(
            () -> {
              claims.wake();
              remote.wake();
              node.hint();
            });
  }

  private void startDeliveries() {
    DeliveryDispatcher deliveryDispatcher = node.deliveryDispatcher;
    if (deliveryDispatcher != null) {
      Duration poll = node.settings.pollInterval();
      Duration period = deliveryDispatcher.period();
      Loop delivers =
          every("deliver", period.compareTo(poll) < 0 ? period : poll, deliveryDispatcher::runOnce);
      deliveryDispatcher.onEnded(delivers::wake);
      node.deliveryWaker.onDeliveries(delivers::wake);
      others.add(delivers);
    }
  }

  /** Runs one bounded batch after another while there is work, then waits. */
  private Loop every(String name, Duration period, IntSupplier batch) {
    return Loop.start(
        name,
        () -> {
          try {
            return batch.getAsInt() > 0 ? Duration.ZERO : period;
          } catch (StoreException problem) {
            node.listener.onStoreError(name, problem);
            throw problem;
          }
        });
  }

  /** Looks first, because firing is a write. */
  private Duration fireSchedules() {
    try {
      node.scheduler.storeDeclared(new EngineSchedules(node, this::wake));
      Duration wait = node.scheduler.untilNext(SWEEP_EVERY);
      if (wait.isPositive()) {
        return wait;
      }
      return node.scheduler.runOnce() > 0 ? Duration.ZERO : WAIT_FOR_OTHER_NODE;
    } catch (StoreException problem) {
      node.listener.onStoreError("fire-schedules", problem);
      throw problem;
    }
  }

  /** One batch at a time: there is hardly ever anything to correct. */
  private Duration sweepLimits() {
    node.sweepLimits();
    return SWEEP_LIMITS_EVERY;
  }

  /**
   * Waits its full period after an error too: an operation that is too much for the database would
   * fail again at once.
   */
  private Duration purge() {
    try {
      int others = node.purgeSubmissionKeys(PURGE_BATCH_SIZE);
      others += node.purgeRollups(PURGE_ROLLUPS_BATCH_SIZE);
      return node.purge(PURGE_BATCH_SIZE) + others > 0 ? Duration.ZERO : PURGE_EVERY;
    } catch (StoreException problem) {
      node.listener.onStoreError("purge", problem);
      return PURGE_EVERY;
    }
  }

  private Duration writeRollups() {
    try {
      return node.rollupWriter.runOnce();
    } catch (StoreException problem) {
      node.listener.onStoreError("write-rollups", problem);
      throw problem;
    }
  }

  /** There may be work. This is only a hint: nothing depends on its arrival. */
  void wake() {
    Loop loop;
    synchronized (this) {
      loop = claiming;
    }
    if (loop != null) {
      loop.wake();
    }
    remote.wake();
    try {
      node.store.wake();
    } catch (StoreException problem) {
      // The task is stored; rethrowing would tell the caller that it is not. Other nodes poll.
      node.listener.onStoreError("wake", problem);
    }
  }

  private Duration claim() {
    Claimer.ClaimSummary claimed = node.claimer.runOnce();
    // Also after a claim that did not use all slots: only a claim that found nothing says when to
    // come back.
    if (claimed.tasks() > 0) {
      return Duration.ZERO;
    }
    Duration poll = node.settings.pollInterval();
    Duration next = claimed.nextDue();
    // A millisecond later: waits are whole milliseconds, and a claim that is too early finds
    // nothing.
    return next != null && next.compareTo(poll) < 0 ? next.plusMillis(1) : poll;
  }

  private Duration settle() {
    try {
      return node.settler.runOnce() > 0 ? Duration.ZERO : IDLE_WAIT;
    } catch (StoreException problem) {
      node.listener.onStoreError("settle", problem);
      throw problem;
    }
  }

  /** A second caller waits for the first and gets the same answer. */
  boolean stop(Duration limit) {
    remote.stopLongPolls();
    Shutdown shutdown;
    synchronized (this) {
      if (!started) {
        return true;
      }
      if (stopping) {
        shutdown = null;
      } else {
        stopping = true;
        shutdown = shutdown();
      }
    }
    if (shutdown == null) {
      return finished.join();
    }
    boolean everyHandlerFinished = false;
    try {
      everyHandlerFinished = shutdown.run(limit);
    } finally {
      finished.complete(everyHandlerFinished);
    }
    return everyHandlerFinished;
  }

  private Shutdown shutdown() {
    return new Shutdown(
        node,
        subscription,
        requireNonNull(claiming, "claiming"),
        Stream.concat(Stream.of(requireNonNull(settling, "settling")), others.stream()).toList());
  }
}
