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

/** The threads of a node: a loop for each of its parts, from start to stop. */
final class EngineLoops {

  private static final Duration WATCH_EVERY = Duration.ofMillis(500);
  private static final Duration REPORT_EVERY = Duration.ofMillis(250);
  private static final Duration SWEEP_EVERY = Duration.ofSeconds(1);
  private static final Duration PURGE_EVERY = Duration.ofMinutes(1);
  private static final Duration IDLE_WAIT = Duration.ofHours(1);
  private static final int PURGE_BATCH_SIZE = 1_000;

  private final NodeComponents nodeComponents;
  private final RemoteWork remote;
  private final List<Loop> others = new ArrayList<>();
  private final CompletableFuture<Boolean> finished = new CompletableFuture<>();
  private @Nullable Loop claiming;
  private @Nullable Loop settling;
  private TaskStore.@Nullable Subscription subscription;
  private boolean started;
  private boolean stopping;

  EngineLoops(NodeComponents nodeComponents) {
    this.nodeComponents = nodeComponents;
    this.remote = new RemoteWork(nodeComponents, this::wake);
  }

  RemoteWork remote() {
    return remote;
  }

  synchronized void requireNotStarted() {
    if (started) {
      throw new IllegalStateException("the engine has started: register handlers before that");
    }
  }

  synchronized void start() {
    requireNotStarted();
    started = true;
    Loop claims = Loop.start("claim", this::claim);
    Loop settles = Loop.start("settle", this::settle);
    claiming = claims;
    settling = settles;
    nodeComponents.settler.setCallbacks(settles::wake, claims::wake);
    Duration renewEvery = nodeComponents.settings.nodeLease().renewInterval();
    others.add(
        Loop.start(
            "renew",
            () -> {
              nodeComponents.leaseKeeper.runOnce();
              claims.wake();
              return renewEvery;
            }));
    others.add(
        Loop.start(
            "watch",
            () -> {
              nodeComponents.watch();
              return WATCH_EVERY;
            }));
    others.add(every("reconcile", SWEEP_EVERY, nodeComponents::reconcile));
    others.add(
        every(
            "report",
            REPORT_EVERY,
            () -> {
              nodeComponents.heartbeatReporter.runOnce();
              return 0;
            }));
    others.add(every("time-out", SWEEP_EVERY, nodeComponents::timeOut));
    others.add(every("expire", SWEEP_EVERY, nodeComponents.expirer::runOnce));
    others.add(every("reap", SWEEP_EVERY, nodeComponents.reaper::runOnce));
    others.add(Loop.start("purge", this::purge));
    startDeliveries();
    subscription =
        nodeComponents.store.listen(
            () -> {
              claims.wake();
              remote.wake();
              nodeComponents.hint();
            });
  }

  private void startDeliveries() {
    DeliveryDispatcher deliveryDispatcher = nodeComponents.deliveryDispatcher;
    if (deliveryDispatcher != null) {
      Duration poll = nodeComponents.settings.pollInterval();
      Duration period = deliveryDispatcher.period();
      Loop delivers =
          every("deliver", period.compareTo(poll) < 0 ? period : poll, deliveryDispatcher::runOnce);
      deliveryDispatcher.onEnded(delivers::wake);
      nodeComponents.deliveryWaker.onDeliveries(delivers::wake);
      others.add(delivers);
    }
  }

  /** Does one bounded batch after the other while there is something, then waits. */
  private Loop every(String name, Duration period, IntSupplier batch) {
    return Loop.start(
        name,
        () -> {
          try {
            return batch.getAsInt() > 0 ? Duration.ZERO : period;
          } catch (StoreException problem) {
            nodeComponents.listener.onStoreError(name, problem);
            throw problem;
          }
        });
  }

  /** Waits its time after an error too: what is too much for the database would be so at once. */
  private Duration purge() {
    try {
      int forgotten = nodeComponents.purgeSubmissionKeys(PURGE_BATCH_SIZE);
      return nodeComponents.purge(PURGE_BATCH_SIZE) + forgotten > 0 ? Duration.ZERO : PURGE_EVERY;
    } catch (StoreException problem) {
      nodeComponents.listener.onStoreError("purge", problem);
      return PURGE_EVERY;
    }
  }

  /** There may be work. Only a hint: what was to be done is done, whether it arrives or not. */
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
      nodeComponents.store.wake();
    } catch (StoreException problem) {
      // Thrown on, it would tell the caller that his task was not stored; others will poll.
      nodeComponents.listener.onStoreError("wake", problem);
    }
  }

  private Duration claim() {
    Claimer.ClaimSummary taken = nodeComponents.claimer.runOnce();
    // Also after a claim that was not full: only one that found nothing tells when to come back.
    if (taken.tasks() > 0) {
      return Duration.ZERO;
    }
    Duration poll = nodeComponents.settings.pollInterval();
    Duration next = taken.nextDue();
    // A millisecond later: waits are whole milliseconds, and too early would be a claim in vain.
    return next != null && next.compareTo(poll) < 0 ? next.plusMillis(1) : poll;
  }

  private Duration settle() {
    try {
      return nodeComponents.settler.runOnce() > 0 ? Duration.ZERO : IDLE_WAIT;
    } catch (StoreException problem) {
      nodeComponents.listener.onStoreError("settle", problem);
      throw problem;
    }
  }

  /** Who comes second waits for the first, and gets the same answer. */
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
        nodeComponents,
        subscription,
        requireNonNull(claiming, "claiming"),
        Stream.concat(Stream.of(requireNonNull(settling, "settling")), others.stream()).toList());
  }
}
