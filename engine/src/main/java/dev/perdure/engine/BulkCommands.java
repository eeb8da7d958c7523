// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRow;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs operator commands on many tasks. */
final class BulkCommands {

  private final TaskStore store;
  private final TaskLifecycle lifecycle;
  private final ChangeWriter changeWriter;

  BulkCommands(TaskStore store, TaskLifecycle lifecycle, ChangeWriter changeWriter) {
    this.store = store;
    this.lifecycle = lifecycle;
    this.changeWriter = changeWriter;
  }

  /** Returns how many tasks were changed. */
  int apply(BulkCommand command, List<TaskRow> rows, Map<UUID, Instant> retryAt) {
    List<UUID> ids = applicable(command, rows).stream().map(TaskRow::id).toList();
    List<Task> tasks =
        store.reader().findAll(ids).stream().filter(task -> command.appliesTo(task.row())).toList();
    return changeWriter.write(
        tasks, (task, now) -> command.decide(lifecycle, task, due(retryAt.get(task.id()))));
  }

  private static DueTime due(@Nullable Instant at) {
    return at == null ? DueTime.now() : DueTime.at(at);
  }

  /** The tasks that the command changes. Tasks of earlier runs stay as they ended. */
  List<TaskRow> applicable(BulkCommand command, List<TaskRow> rows) {
    Map<UUID, Integer> currentRuns = new HashMap<>();
    return rows.stream()
        .filter(command::appliesTo)
        .filter(
            row ->
                row.state().isLive()
                    || row.run() >= currentRuns.computeIfAbsent(row.batch(), this::currentRun))
        .toList();
  }

  private int currentRun(UUID batch) {
    return store.batches().currentRun(batch).orElse(0);
  }
}
