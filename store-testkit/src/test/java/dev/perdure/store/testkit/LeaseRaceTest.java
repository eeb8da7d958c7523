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

/** A node renews its lease while another loop finds that lease overdue. */
class LeaseRaceTest {

  private final FakeClock clock = new FakeClock();
  private final InMemoryStore store = new InMemoryStore(clock, 1);
  private Runnable duringNextRead = () -> {};

  private Duration monotonic() {
    Runnable once = duringNextRead;
    duringNextRead = () -> {};
    Duration now = Duration.between(FakeClock.START, clock.instant());
    // The caller gets the time from before the hook.
    once.run();
    return now;
  }

  @Test
  void a_node_lease_renewed_during_the_overdue_check_stays_valid() {
    EngineExecutor doNothing = (name, work) -> () -> {};
    ManualEngine node =
        Engine.builder(store)
            .environment(
                new EngineEnvironment(clock, this::monotonic, new SplittableRandom(1), doNothing))
            .buildManual();
    node.engine().register("work", String.class, (payload, context) -> {});
    node.engine().submit(NewTask.of("work", "payload"));
    node.renew();
    clock.advance(Duration.ofMinutes(1));

    duringNextRead = node::renew;
    node.watch();

    assertThat(store.nodes().alive()).hasSize(1);
    assertThat(node.claim()).as("it has a node lease and may claim").isOne();
  }
}
