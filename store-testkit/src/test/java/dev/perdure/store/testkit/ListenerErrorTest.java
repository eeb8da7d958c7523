// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.EngineListener;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** A listener that throws errors, for example because of an incompatible library version. */
class ListenerErrorTest {

  private static final class BrokenListener implements EngineListener {

    @Override
    public void onClaimed(int tasks, Duration took) {
      throw new NoSuchMethodError("timer");
    }

    @Override
    public void onStarted(Lease lease, Instant now) {
      throw new NoSuchMethodError("counter");
    }

    @Override
    public void onChanged(Task before, TaskChange change, Duration ran) {
      throw new AssertionError("broken");
    }
  }

  @Test
  void does_not_block_slots_or_tasks() {
    FakeClock clock = new FakeClock();
    InMemoryStore store = new InMemoryStore(clock, 1);
    ManualEngine node =
        ManualEngines.on(store, clock, ManualEngines.AT_ONCE)
            .slots(2)
            .listener(new BrokenListener())
            .buildManual();
    node.engine().register("mail", String.class, (mail, context) -> {});
    node.renew();
    node.engine().submitAll(Collections.nCopies(4, NewTask.of("mail", "ada")));

    for (int round = 0; round < 2; round++) {
      assertThat(node.claim()).isEqualTo(2);
      assertThat(node.settle()).isEqualTo(2);
      assertThat(node.unsettled()).isZero();
    }
    assertThat(store.reader().count(TaskFilter.in(TaskState.SUCCESS), 10)).isEqualTo(4);
  }
}
