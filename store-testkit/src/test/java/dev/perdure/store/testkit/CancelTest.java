// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.EngineListener;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CancelTest {

  @Test
  void reports_how_long_an_attempt_without_heartbeats_ran() {
    FakeClock clock = new FakeClock();
    List<Duration> ran = new ArrayList<>();
    EngineListener listener =
        new EngineListener() {
          @Override
          public void onChanged(Task before, TaskChange change, Duration length) {
            ran.add(length);
          }
        };
    ManualEngine node =
        ManualEngines.on(new InMemoryStore(clock, 1), clock, (name, work) -> () -> {})
            .listener(listener)
            .buildManual();
    node.engine().register("mail", String.class, (mail, context) -> {});
    node.renew();
    UUID id = node.engine().submit(NewTask.of("mail", "ada"));
    node.claim();
    clock.advance(Duration.ofSeconds(12));

    node.engine().cancel(id);

    assertThat(ran).containsExactly(Duration.ofSeconds(12));
  }
}
