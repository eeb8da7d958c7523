// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineBuilder;
import dev.perdure.engine.Sources;
import dev.perdure.engine.Workers;
import dev.perdure.engine.store.TaskStore;
import java.time.Duration;
import java.util.SplittableRandom;

/** Engines that do nothing by themselves, under a clock that stands still. */
final class Steps {

  /** The handler runs within the claim. */
  static final Workers AT_ONCE =
      (name, work) -> {
        work.run();
        return () -> {};
      };

  private Steps() {}

  static EngineBuilder on(TaskStore store, FakeClock clock, Workers workers) {
    return Engine.builder(store)
        .sources(
            new Sources(
                clock,
                () -> Duration.between(FakeClock.START, clock.instant()),
                new SplittableRandom(1),
                workers));
  }
}
