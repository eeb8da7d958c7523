// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineBuilder;
import dev.perdure.engine.EngineEnvironment;
import dev.perdure.engine.EngineExecutor;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.testing.FakeClock;
import java.time.Duration;
import java.util.SplittableRandom;

/** Engines that do nothing by themselves, under a clock that stands still. */
final class ManualEngines {

  /** The handler runs within the claim. */
  static final EngineExecutor AT_ONCE =
      (name, work) -> {
        work.run();
        return () -> {};
      };

  private ManualEngines() {}

  static EngineBuilder on(TaskStore store, FakeClock clock, EngineExecutor engineExecutor) {
    return Engine.builder(store)
        .environment(
            new EngineEnvironment(
                clock,
                () -> Duration.between(FakeClock.START, clock.instant()),
                new SplittableRandom(1),
                engineExecutor));
  }
}
