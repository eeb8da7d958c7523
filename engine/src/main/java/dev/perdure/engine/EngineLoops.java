// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.TaskStore;
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
  private static final Duration FOR_EVER = Duration.ofHours(1);
  private static final int MOST_PURGED_AT_ONCE = 1_000;

  private final Node node;
  private final RemoteWork remote;
  private final List<Loop> others = new ArrayList<>();
  private final CompletableFuture<Boolean> finished = new CompletableFuture<>();
  private @Nullable Loop claiming;
  private @Nullable Loop settling;
  private TaskStore.@Nullable Listening listening;
  private boolean started;
  private boolean stopping;

  EngineLoops(Node node) {
    this.node = node;
    this.remote = new RemoteWork(node, this::wake);
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
    node.settler.wakes(settles::wake, claims::wake);
    Duration renewEvery = node.settings.leases().renewEvery();
    others.add(
        Loop.start(
            "renew",
            () -> {
              node.keeper.runOnce();
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
              node.reporter.runOnce();
              return 0;
            }));
    others.add(every("time-out", SWEEP_EVERY, node::timeOut));
    others.add(every("expire", SWEEP_EVERY, node.expirer::runOnce));
    others.add(every("reap", SWEEP_EVERY, node.reaper::runOnce));
    others.add(Loop.start("purge", this::purge));
    startDelivering();
    listening =
        node.store.listen(
            () -> {
              claims.wake();
              remote.ring();
              node.hear();
            });
  }

  private void startDelivering() {
    Deliverer deliverer = node.deliverer;
    if (deliverer != null) {
      Duration poll = node.settings.poll();
      Duration period = deliverer.period();
      Loop delivers =
          every("deliver", period.compareTo(poll) < 0 ? period : poll, deliverer::runOnce);
      deliverer.wakes(delivers::wake);
      node.deliveryBell.wakes(delivers::wake);
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
            node.listener.onStoreError(name, problem);
            throw problem;
          }
        });
  }

  /** Waits its time after an error too: what is too much for the database would be so at once. */
  private Duration purge() {
    try {
      int forgotten = node.forget(MOST_PURGED_AT_ONCE);
      return node.purge(MOST_PURGED_AT_ONCE) + forgotten > 0 ? Duration.ZERO : PURGE_EVERY;
    } catch (StoreException problem) {
      node.listener.onStoreError("purge", problem);
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
    remote.ring();
    try {
      node.store.wake();
    } catch (StoreException problem) {
      // Thrown on, it would tell the caller that his task was not stored; others will poll.
      node.listener.onStoreError("wake", problem);
    }
  }

  private Duration claim() {
    Claimer.Catch taken = node.claimer.runOnce();
    // Also after a claim that was not full: only one that found nothing tells when to come back.
    if (taken.tasks() > 0) {
      return Duration.ZERO;
    }
    Duration poll = node.settings.poll();
    Duration next = taken.nextDue();
    // A millisecond later: waits are whole milliseconds, and too early would be a claim in vain.
    return next != null && next.compareTo(poll) < 0 ? next.plusMillis(1) : poll;
  }

  private Duration settle() {
    try {
      return node.settler.runOnce() > 0 ? Duration.ZERO : FOR_EVER;
    } catch (StoreException problem) {
      node.listener.onStoreError("settle", problem);
      throw problem;
    }
  }

  /** Who comes second waits for the first, and gets the same answer. */
  boolean stop(Duration limit) {
    remote.stopWaiting();
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
        listening,
        requireNonNull(claiming, "claiming"),
        Stream.concat(Stream.of(requireNonNull(settling, "settling")), others.stream()).toList());
  }
}
