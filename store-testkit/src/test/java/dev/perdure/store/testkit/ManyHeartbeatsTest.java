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

/** More attempts report at once than one write takes. */
class ManyHeartbeatsTest {

  private static final int TASKS = 2_500;

  @Test
  void all_are_written_in_the_same_round() throws Exception {
    FakeClock clock = new FakeClock();
    InMemoryStore store = new InMemoryStore(clock, 1);
    CountDownLatch reported = new CountDownLatch(TASKS);
    CountDownLatch go = new CountDownLatch(1);
    ManualEngine node =
        ManualEngines.on(store, clock, EngineExecutor.virtualThreads()).slots(TASKS).buildManual();
    node.engine()
        .register(
            "mail",
            String.class,
            (mail, context) -> {
              context.progress(7, 9);
              reported.countDown();
              go.await();
            });
    node.renew();
    node.engine().submitAll(Collections.nCopies(TASKS, NewTask.of("mail", "ada")));
    node.claim();
    reported.await();

    assertThat(node.sendHeartbeats()).isEqualTo(TASKS);

    assertThat(all(store)).hasSize(TASKS).allMatch(task -> task.progress().success() == 7);
    assertThat(node.sendHeartbeats()).as("signs that were told already").isZero();
    go.countDown();
  }

  private static List<TaskRow> all(InMemoryStore store) {
    List<TaskRow> tasks = new ArrayList<>();
    String after = null;
    do {
      var taskPage = store.reader().list(TaskFilter.all(), new PageRequest(1_000, after));
      tasks.addAll(taskPage.tasks());
      after = taskPage.nextCursor();
    } while (after != null);
    return tasks;
  }
}
