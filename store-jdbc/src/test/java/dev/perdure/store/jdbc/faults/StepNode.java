// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.Sources;
import dev.perdure.engine.TaskHandler;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.store.testkit.FakeClock;
import dev.perdure.store.testkit.Heard;
import java.time.Duration;
import java.util.SplittableRandom;

/** A node that does nothing unless a test tells it to. A node that is no longer told is dead. */
final class StepNode {

  static final String KIND = "work";

  private static final int RENEW_EVERY = 5;

  final Line line;
  final Desk desk = new Desk();
  final Heard heard = new Heard();
  final ManualEngine does;
  final Engine engine;
  private int selfStops;
  private int seconds;

  StepNode(TaskStore store, FakeClock clock, int number, int slots, TaskHandler<String> handler) {
    line = new Line(store);
    Sources sources =
        new Sources(
            clock,
            () -> Duration.between(FakeClock.START, clock.instant()),
            new SplittableRandom(number),
            desk);
    does =
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
            .sources(sources)
            .buildManual();
    engine = does.engine();
    engine.register(KIND, String.class, handler);
  }

  /** Claims, runs what it got to its end, and writes the ends; tells how many it got. */
  int work() {
    int claimed = does.claim();
    desk.runAll();
    settleAll();
    return claimed;
  }

  /** Begins what can begin, and does everything else that a node does within a second. */
  void second() {
    if (seconds++ % RENEW_EVERY == 0) {
      attempt(does::renew);
    }
    does.watch();
    attempt(this::settleAll);
    attempt(does::report);
    attempt(does::reconcile);
    attempt(does::timeOut);
    attempt(does::expire);
    attempt(does::reap);
    attempt(does::claim);
  }

  /** One batch after the other, as the loop of an engine does. */
  void settleAll() {
    int most = does.held();
    for (int i = 0; i < most && does.settle() > 0; i++) {
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
