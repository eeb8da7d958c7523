// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import static java.util.stream.Collectors.groupingBy;

import dev.perdure.engine.store.Page;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.store.TaskReader;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What is left of a trial: what was promised, what the store says, and what the handlers say.
 *
 * @param acknowledged the ids that a submitter was given
 * @param told every task of the store
 * @param runs every worker process
 * @param executions every call of a handler
 */
record History(
    Set<UUID> acknowledged, List<Told> told, List<WorkerRun> runs, List<Execution> executions) {

  private static final int MOST_PAGES = 10_000;
  private static final int MOST_ATTEMPTS = 1_000;

  /** A task and its records, oldest first. */
  record Told(Task task, List<Attempt> records) {}

  /** Every task that the store has. */
  static List<Told> read(TaskReader reader) {
    List<Told> told = new ArrayList<>();
    Page page = reader.list(TaskFilter.all(), PageRequest.first(PageRequest.MOST));
    add(reader, page, told);
    for (int i = 1; i < MOST_PAGES && page.next() != null; i++) {
      page = reader.list(TaskFilter.all(), new PageRequest(PageRequest.MOST, page.next()));
      add(reader, page, told);
    }
    return told;
  }

  private static void add(TaskReader reader, Page page, List<Told> told) {
    for (TaskRow row : page.tasks()) {
      Task task = reader.find(row.id()).orElseThrow();
      told.add(new Told(task, reader.attempts(task.id(), MOST_ATTEMPTS)));
    }
  }

  Map<UUID, List<Execution>> executionsByTask() {
    return executions.stream().collect(groupingBy(Execution::task));
  }

  /** How many leases ended in this way. */
  long records(AttemptOutcome outcome) {
    return told.stream()
        .flatMap(one -> one.records().stream())
        .filter(record -> record.note().outcome() == outcome)
        .count();
  }
}
