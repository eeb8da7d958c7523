// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import static java.util.stream.Collectors.groupingBy;

import dev.perdure.engine.query.BatchReader;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What a trial left behind: the acknowledged tasks, the content of the store and the handlers'
 * logs.
 *
 * @param acknowledged ids that a submitter received
 * @param stored every task in the store
 * @param runs every worker process
 * @param executions every call of a handler
 * @param dependencies what the stored tasks depend on
 */
record History(
    Set<UUID> acknowledged,
    List<StoredHistory> stored,
    List<WorkerRun> runs,
    List<Execution> executions,
    List<Dependency> dependencies) {

  private static final int MAX_PAGES = 10_000;
  private static final int MAX_ATTEMPTS = 1_000;
  private static final int MAX_DEPENDENCIES = 1_000;

  /** A history of tasks that depend on no others. */
  History(
      Set<UUID> acknowledged,
      List<StoredHistory> stored,
      List<WorkerRun> runs,
      List<Execution> executions) {
    this(acknowledged, stored, runs, executions, List.of());
  }

  /** Reads what the tasks depend on. */
  static List<Dependency> dependencies(BatchReader batches, List<StoredHistory> stored) {
    return stored.stream()
        .map(history -> history.task().batch())
        .distinct()
        .flatMap(batch -> batches.dependencies(batch, MAX_DEPENDENCIES).stream())
        .toList();
  }

  /** A task with its attempt records, oldest first. */
  record StoredHistory(Task task, List<Attempt> attempts) {}

  /** Reads every task in the store. */
  static List<StoredHistory> read(TaskReader reader) {
    List<StoredHistory> histories = new ArrayList<>();
    TaskPage taskPage = reader.list(TaskFilter.all(), PageRequest.first(PageRequest.MAX_SIZE));
    add(reader, taskPage, histories);
    for (int i = 1; i < MAX_PAGES && taskPage.nextCursor() != null; i++) {
      taskPage =
          reader.list(
              TaskFilter.all(), new PageRequest(PageRequest.MAX_SIZE, taskPage.nextCursor()));
      add(reader, taskPage, histories);
    }
    return histories;
  }

  private static void add(TaskReader reader, TaskPage taskPage, List<StoredHistory> histories) {
    for (TaskRow row : taskPage.tasks()) {
      Task task = reader.find(row.id()).orElseThrow();
      histories.add(new StoredHistory(task, reader.attempts(task.id(), MAX_ATTEMPTS)));
    }
  }

  Map<UUID, List<Execution>> executionsByTask() {
    return executions.stream().collect(groupingBy(Execution::task));
  }

  /** Returns the number of leases that ended with this outcome. */
  long countAttempts(AttemptOutcome outcome) {
    return stored.stream()
        .flatMap(history -> history.attempts().stream())
        .filter(record -> record.details().outcome() == outcome)
        .count();
  }
}
