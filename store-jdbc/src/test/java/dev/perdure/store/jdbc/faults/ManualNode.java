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

/** A node that does nothing unless a test tells it to. A node that is no longer told is dead. */
final class ManualNode {

  static final String KIND = "work";

  private static final int RENEW_EVERY = 5;

  final FaultInjectingStore line;
  final ManualWorkers workers = new ManualWorkers();
  final RecordingListener heard = new RecordingListener();
  final ManualEngine loops;
  final Engine engine;
  private int selfStops;
  private int seconds;

  ManualNode(TaskStore store, FakeClock clock, int number, int slots, TaskHandler<String> handler) {
    line = new FaultInjectingStore(store);
    EngineEnvironment engineEnvironment =
        new EngineEnvironment(
            clock,
            () -> Duration.between(FakeClock.START, clock.instant()),
            new SplittableRandom(number),
            workers);
    loops =
        Engine.builder(line.store())
            .name("node " + number)
            .slots(slots)
            .listener(heard)
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

  /** Claims, runs what it got to its end, and writes the ends; tells how many it got. */
  int claimAndRun() {
    int claimed = loops.claim();
    workers.runAll();
    settleAll();
    return claimed;
  }

  /** Begins what can begin, and does everything else that a node does within a second. */
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

  /** One batch after the other, as the loop of an engine does. */
  void settleAll() {
    int most = loops.unsettled();
    for (int i = 0; i < most && loops.settle() > 0; i++) {
      // The next one.
    }
  }

  int selfStops() {
    return selfStops;
  }

  /** The loops of an engine go on after this, and so does a test. */
  private static void attempt(Runnable step) {
    try {
      step.run();
    } catch (StoreException away) {
      if (!away.unavailable()) {
        throw away;
      }
    }
  }
}
