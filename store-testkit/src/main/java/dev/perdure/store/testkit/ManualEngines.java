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

/** Engines without their own threads, on a fake clock. The test calls each step. */
final class ManualEngines {

  /** Runs a handler within the claim. */
  static final EngineExecutor AT_ONCE =
      (name, work) -> {
        work.run();
        return () -> {};
      };

  private ManualEngines() {}

  static EngineBuilder on(TaskStore store, FakeClock clock, EngineExecutor executor) {
    return Engine.builder(store)
        .environment(
            new EngineEnvironment(
                clock,
                () -> Duration.between(FakeClock.START, clock.instant()),
                new SplittableRandom(1),
                executor));
  }
}
