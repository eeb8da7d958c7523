// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many tasks with large deliveries end at once. */
class LargeDeliveryBatchTest {

  private static final String LARGE = "x".repeat(3 << 20);

  private final FakeClock clock = new FakeClock();
  private final AtomicInteger writes = new AtomicInteger();
  private final TaskStore store =
      InterceptedStore.wrap(
          new InMemoryStore(clock, 1),
          call -> {
            if (call.equals("apply")) {
              writes.incrementAndGet();
            }
          });

  @Test
  void large_deliveries_are_written_in_several_steps() {
    ManualEngine node =
        ManualEngines.on(store, clock, ManualEngines.AT_ONCE)
            .deliveryPlanner((before, change) -> List.of(new DeliveryMessage("on_failure", LARGE)))
            .buildManual();
    NewTask task = NewTask.of("job", 1).deadline(clock.instant().plusSeconds(1));
    node.engine().submitAll(Collections.nCopies(5, task));
    node.renew();
    clock.advance(Duration.ofSeconds(2));

    assertThat(node.expire()).isEqualTo(5);
    assertThat(writes).as("two, two and one").hasValue(3);
  }
}
