// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.Workers;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.task.TaskRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** More attempts report at once than one write takes. */
class ManySignsTest {

  private static final int TASKS = 2_500;

  @Test
  void all_are_written_in_the_same_round() throws Exception {
    FakeClock clock = new FakeClock();
    ModelStore store = new ModelStore(clock, 1);
    CountDownLatch reported = new CountDownLatch(TASKS);
    CountDownLatch go = new CountDownLatch(1);
    ManualEngine node = Steps.on(store, clock, Workers.virtualThreads()).slots(TASKS).buildManual();
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
    node.engine().submit(Collections.nCopies(TASKS, NewTask.of("mail", "ada")));
    node.claim();
    reported.await();

    assertThat(node.report()).isEqualTo(TASKS);

    assertThat(all(store)).hasSize(TASKS).allMatch(task -> task.progress().success() == 7);
    assertThat(node.report()).as("signs that were told already").isZero();
    go.countDown();
  }

  private static List<TaskRow> all(ModelStore store) {
    List<TaskRow> tasks = new ArrayList<>();
    String after = null;
    do {
      var page = store.reader().list(TaskFilter.all(), new PageRequest(1_000, after));
      tasks.addAll(page.tasks());
      after = page.next();
    } while (after != null);
    return tasks;
  }
}
