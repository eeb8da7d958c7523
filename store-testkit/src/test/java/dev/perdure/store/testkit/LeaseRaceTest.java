// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineEnvironment;
import dev.perdure.engine.EngineExecutor;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The loops that renew a row and watch it meet at the worst moment. */
class LeaseRaceTest {

  private final FakeClock clock = new FakeClock();
  private final InMemoryStore store = new InMemoryStore(clock, 1);
  private Runnable whenTheTimeIsAsked = () -> {};

  private Duration monotonic() {
    Runnable once = whenTheTimeIsAsked;
    whenTheTimeIsAsked = () -> {};
    Duration now = Duration.between(FakeClock.START, clock.instant());
    once.run();
    return now;
  }

  @Test
  void a_row_that_is_taken_anew_while_the_old_one_is_found_overdue_is_not_forgotten() {
    EngineExecutor nowhere = (name, work) -> () -> {};
    ManualEngine node =
        Engine.builder(store)
            .environment(
                new EngineEnvironment(clock, this::monotonic, new SplittableRandom(1), nowhere))
            .buildManual();
    node.engine().register("work", String.class, (payload, context) -> {});
    node.engine().submit(NewTask.of("work", "payload"));
    node.renew();
    clock.advance(Duration.ofMinutes(1));

    whenTheTimeIsAsked = node::renew;
    node.watch();

    assertThat(store.nodes().alive()).hasSize(1);
    assertThat(node.claim()).as("it holds a row, and may work").isOne();
  }
}
