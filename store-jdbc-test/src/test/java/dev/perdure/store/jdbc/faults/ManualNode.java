// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineEnvironment;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.TaskHandler;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.StoreException;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.RecordingListener;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * A node that acts only when the test tells it to. A node that the test no longer drives is dead.
 */
final class ManualNode {

  static final String KIND = "work";

  private static final int RENEW_EVERY = 5;

  final FaultInjectingStore faults;
  final ManualWorkers workers = new ManualWorkers();
  final RecordingListener listener = new RecordingListener();
  final ManualEngine loops;
  final Engine engine;
  private int selfStops;
  private int seconds;

  ManualNode(TaskStore store, FakeClock clock, int number, int slots, TaskHandler<String> handler) {
    faults = new FaultInjectingStore(store);
    EngineEnvironment engineEnvironment =
        new EngineEnvironment(
            clock,
            () -> Duration.between(FakeClock.START, clock.instant()),
            new SplittableRandom(number),
            workers);
    loops =
        Engine.builder(faults.store())
            .name("node " + number)
            .slots(slots)
            .listener(listener)
            .listener(
                new EngineListener() {
                  @Override
                  public void onSelfStop() {
                    selfStops++;
                  }
                })
            .environment(engineEnvironment)
            .buildManual();
    engine = loops.engine();
    engine.register(KIND, String.class, handler);
  }

  /** Claims tasks, runs them to their end, settles them, and returns how many were claimed. */
  int claimAndRun() {
    int claimed = loops.claim();
    workers.runAll();
    settleAll();
    return claimed;
  }

  /** Does everything that a node does within one second, but runs no handlers. */
  void tick() {
    if (seconds++ % RENEW_EVERY == 0) {
      attempt(loops::renew);
    }
    loops.watch();
    attempt(this::settleAll);
    attempt(loops::sendHeartbeats);
    attempt(loops::reconcile);
    attempt(loops::timeOut);
    attempt(loops::expire);
    attempt(loops::reap);
    attempt(loops::claim);
  }

  /** Settles batch by batch, as the engine's loop does. */
  void settleAll() {
    int limit = loops.unsettled();
    for (int i = 0; i < limit && loops.settle() > 0; i++) {
      // Settle the next batch.
    }
  }

  int selfStops() {
    return selfStops;
  }

  /** Ignores an unavailable store, as the engine's loops do. */
  private static void attempt(Runnable step) {
    try {
      step.run();
    } catch (StoreException failure) {
      if (!failure.unavailable()) {
        throw failure;
      }
    }
  }
}
