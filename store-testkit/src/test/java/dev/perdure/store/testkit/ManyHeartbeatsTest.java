// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.EngineExecutor;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** More heartbeats are pending than fit in one write. */
class ManyHeartbeatsTest {

  private static final int TASKS = 2_500;

  @Test
  void one_round_writes_all_heartbeats() throws Exception {
    FakeClock clock = new FakeClock();
    InMemoryStore store = new InMemoryStore(clock, 1);
    CountDownLatch reported = new CountDownLatch(TASKS);
    CountDownLatch mayEnd = new CountDownLatch(1);
    ManualEngine node =
        ManualEngines.on(store, clock, EngineExecutor.virtualThreads()).slots(TASKS).buildManual();
    node.engine()
        .register(
            "mail",
            String.class,
            (mail, context) -> {
              context.progress(7, 9);
              reported.countDown();
              mayEnd.await();
            });
    node.renew();
    node.engine().submitAll(Collections.nCopies(TASKS, NewTask.of("mail", "ada")));
    node.claim();
    reported.await();

    assertThat(node.sendHeartbeats()).isEqualTo(TASKS);

    assertThat(all(store)).hasSize(TASKS).allMatch(task -> task.progress().success() == 7);
    assertThat(node.sendHeartbeats()).as("heartbeats that were already sent").isZero();
    mayEnd.countDown();
  }

  private static List<TaskRow> all(InMemoryStore store) {
    List<TaskRow> tasks = new ArrayList<>();
    String after = null;
    do {
      var page = store.reader().list(TaskFilter.all(), new PageRequest(1_000, after));
      tasks.addAll(page.tasks());
      after = page.nextCursor();
    } while (after != null);
    return tasks;
  }
}
