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
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** When a node reports that it is alive. */
class NodeLivenessTest {

  private final FakeClock clock = new FakeClock();
  private final EngineExecutor doNothing = (name, work) -> () -> {};
  private final ManualEngine node =
      Engine.builder(new InMemoryStore(clock, 1))
          .environment(
              new EngineEnvironment(clock, this::monotonic, new SplittableRandom(1), doNothing))
          .buildManual();

  private Duration monotonic() {
    return Duration.between(FakeClock.START, clock.instant());
  }

  @Test
  void is_alive_while_its_node_lease_is_renewed_in_time() {
    assertThat(node.engine().isAlive()).as("not joined yet").isFalse();
    node.renew();
    assertThat(node.engine().isAlive()).isTrue();

    clock.advance(Duration.ofSeconds(14));
    assertThat(node.engine().isAlive()).isTrue();
    clock.advance(Duration.ofSeconds(1));
    assertThat(node.engine().isAlive()).as("not renewed for 15 s").isFalse();

    node.renew();
    assertThat(node.engine().isAlive()).as("renewed again").isTrue();
    node.leave();
    assertThat(node.engine().isAlive()).as("left").isFalse();
  }

  @Test
  void the_loss_of_a_node_is_recorded_with_its_name() {
    InMemoryStore store = new InMemoryStore(clock, 1);
    ManualEngine south = ManualEngines.on(store, clock, doNothing).name("south").buildManual();
    ManualEngine north = ManualEngines.on(store, clock, doNothing).name("north").buildManual();
    south.engine().register("work", String.class, (payload, context) -> {});
    UUID id = south.engine().submit(NewTask.of("work", "payload"));
    south.renew();
    south.claim();
    for (int i = 0; i < 10; i++) {
      north.renew();
      clock.advance(Duration.ofSeconds(10));
    }
    north.renew();

    assertThat(north.reap()).isOne();
    assertThat(north.engine().attempts(id))
        .singleElement()
        .extracting(attempt -> attempt.details().message())
        .isEqualTo("its worker was lost: south");
  }
}
