// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Cancels all live tasks of a batch, children before their parents: in descending order of their
 * ids. A task that ends by itself at the same moment keeps its end.
 */
final class BatchStopper {

  private static final int PAGE_SIZE = 200;
  private static final int MAX_PASSES = 20;
  private static final Set<TaskState> LIVE =
      Stream.of(TaskState.values()).filter(TaskState::isLive).collect(Collectors.toSet());

  private final TaskStore store;
  private final TaskLifecycle lifecycle;
  private final ChangeWriter changeWriter;

  BatchStopper(TaskStore store, TaskLifecycle lifecycle, ChangeWriter changeWriter) {
    this.store = store;
    this.lifecycle = lifecycle;
    this.changeWriter = changeWriter;
  }

  BatchStopResult stop(UUID batch) {
    if (!store.batches().markStopped(batch)) {
      throw new NoSuchElementException("there is no batch " + batch);
    }
    Map<DisplayStatus, Long> canceled = new EnumMap<>(DisplayStatus.class);
    // Tasks that change between the read and the write are left to the next pass.
    for (int pass = 0; pass < MAX_PASSES; pass++) {
      if (cancelAll(batch, canceled) == 0) {
        long total = store.batches().find(batch).map(BatchSummary::tasks).orElse(0L);
        long sum = canceled.values().stream().mapToLong(Long::longValue).sum();
        return new BatchStopResult(canceled, Math.max(0, total - sum));
      }
    }
    throw new BusyException("the tasks of batch %s keep changing; try again".formatted(batch));
  }

  /** Returns how many live tasks it found. */
  private int cancelAll(UUID batch, Map<DisplayStatus, Long> canceled) {
    TaskFilter live = TaskFilter.all().withBatch(batch).withStates(LIVE);
    int found = 0;
    String cursor = null;
    do {
      TaskPage page =
          store.reader().list(live, TaskSort.NEWEST, new PageRequest(PAGE_SIZE, cursor));
      found += page.tasks().size();
      cancel(page.tasks().stream().map(TaskRow::id).toList(), canceled);
      cursor = page.nextCursor();
    } while (cursor != null);
    return found;
  }

  /** Tries again at once: a parent must not be canceled before its children. */
  private void cancel(List<UUID> ids, Map<DisplayStatus, Long> canceled) {
    for (int i = 0; i < MAX_PASSES; i++) {
      List<Task> tasks =
          store.reader().findAll(ids).stream()
              .filter(task -> task.state().isLive())
              .sorted(Comparator.comparing(Task::id, IdOrder.BYTEWISE).reversed())
              .toList();
      if (tasks.isEmpty()) {
        return;
      }
      changeWriter.write(
          tasks,
          (task, now) -> lifecycle.cancel(task),
          task -> canceled.merge(task.status(), 1L, Long::sum));
    }
  }
}
