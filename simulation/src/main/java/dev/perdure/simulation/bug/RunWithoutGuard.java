// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.spi.BatchStore;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRow;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** Stores the tasks of a run once more when another node has started it already. */
final class RunWithoutGuard extends ForwardingStore {

  RunWithoutGuard(TaskStore inner) {
    super(inner);
  }

  @Override
  public BatchStore batches() {
    return new ForwardingBatchStore(inner.batches()) {
      @Override
      public int startRun(DueRun run, Supplier<UUID> ids) {
        int started = inner.startRun(run, ids);
        return started > 0 || inner.currentRun(run.batch()).orElse(0) < run.number()
            ? started
            : startAgain(run, ids);
      }
    };
  }

  private int startAgain(BatchStore.DueRun run, Supplier<UUID> ids) {
    UUID batch = ids.get();
    List<UUID> started =
        inner
            .reader()
            .list(
                TaskFilter.all().withBatch(run.batch()),
                TaskSort.NEWEST,
                PageRequest.first(PageRequest.MAX_SIZE))
            .tasks()
            .stream()
            .map(TaskRow::id)
            .toList();
    List<Task> tasks =
        inner.reader().findAll(started).stream()
            .filter(task -> task.run() == run.number())
            .toList();
    inner.submit(
        new Submission(
            batch,
            tasks.stream()
                .map(task -> new NewTaskRow(ids.get(), task.definition(), DueTime.now()))
                .toList()));
    return tasks.size();
  }
}
