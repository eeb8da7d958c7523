// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import static dev.perdure.engine.task.AttemptOutcome.FAILURE;
import static dev.perdure.engine.task.AttemptOutcome.HANDED_BACK;
import static dev.perdure.engine.task.AttemptOutcome.LOST;
import static dev.perdure.engine.task.AttemptOutcome.SUCCESS;

import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.crash.Execution.EndKind;
import dev.perdure.store.jdbc.crash.History.StoredHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compares one task, its attempt records and its executions.
 *
 * <p>A lease is over when its handler has ended or its process was killed. So executions of one
 * task never overlap, and a loss is recorded only for a process that was killed before.
 */
final class TaskHistoryChecker {

  private final Task task;
  private final List<Attempt> records;
  private final List<Execution> executions;
  private final History history;
  private final Map<Long, Execution> byEpoch = new HashMap<>();
  private final List<String> violations = new ArrayList<>();

  TaskHistoryChecker(StoredHistory stored, List<Execution> executions, History history) {
    this.task = stored.task();
    this.records = stored.attempts();
    this.executions = executions.stream().sorted(Comparator.comparing(Execution::start)).toList();
    this.history = history;
  }

  List<String> violations() {
    checkEndedOnce();
    checkOneRecordPerLease();
    checkAttemptNumbers();
    checkOneExecutionPerLease();
    checkExecutionsHaveRecords();
    checkRecordsHaveExecutions();
    checkNoOverlap();
    checkNoEarlyStart();
    return violations;
  }

  private void checkEndedOnce() {
    if (task.state() != TaskState.SUCCESS && task.state() != TaskState.FAILURE) {
      violations.add("has not ended: " + task.state() + ", " + task.retryCounters());
      return;
    }
    if (task.lastResult().giveUpReason() == TaskGiveUpReason.LOST) {
      violations.add("ended as lost");
    }
    if (task.lastResult().giveUpReason() == TaskGiveUpReason.UPSTREAM_FAILED) {
      if (!records.isEmpty()) {
        violations.add("failed because of its parents, but has " + records);
      }
      return;
    }
    List<Attempt> ends = records.stream().filter(TaskHistoryChecker::isFinal).toList();
    if (ends.size() != 1) {
      violations.add("has " + ends.size() + " ends: " + ends);
      return;
    }
    Attempt end = ends.getFirst();
    AttemptOutcome expected = task.state() == TaskState.SUCCESS ? SUCCESS : FAILURE;
    if (end.details().outcome() != expected || end.epoch() != task.epoch()) {
      violations.add(
          "is " + task.state() + " in epoch " + task.epoch() + ", but its last record is " + end);
    }
  }

  private static boolean isFinal(Attempt record) {
    AttemptOutcome outcome = record.details().outcome();
    return outcome == SUCCESS || (outcome == FAILURE && record.nextAttemptAt() == null);
  }

  private void checkOneRecordPerLease() {
    List<Long> epochs = records.stream().map(Attempt::epoch).toList();
    for (int i = 0; i < epochs.size(); i++) {
      if (epochs.get(i) != i + 1) {
        violations.add("has records of the epochs " + epochs);
        return;
      }
    }
    if (task.state().isTerminal() && epochs.size() != task.epoch()) {
      violations.add("is in epoch " + task.epoch() + ", with records of the epochs " + epochs);
    }
  }

  private void checkAttemptNumbers() {
    long expected = 0;
    for (Attempt record : records) {
      if (record.number() != expected) {
        violations.add("has attempt " + record.number() + " in place of " + expected);
        return;
      }
      expected += record.details().outcome() == FAILURE ? 1 : 0;
    }
  }

  private void checkOneExecutionPerLease() {
    for (Execution execution : executions) {
      Execution other = byEpoch.put(execution.epoch(), execution);
      if (other != null) {
        violations.add("ran twice under one lease: " + other + ", " + execution);
      }
    }
  }

  private void checkExecutionsHaveRecords() {
    for (Execution execution : executions) {
      Attempt record =
          records.stream().filter(it -> it.epoch() == execution.epoch()).findFirst().orElse(null);
      if (record == null || record.number() != execution.attempt()) {
        violations.add("has an execution without a record: " + execution);
      } else if (!Objects.equals(record.worker(), execution.worker())
          || !agrees(record, execution)) {
        violations.add("has a record, " + record + ", that contradicts its " + execution);
      }
    }
  }

  private static boolean agrees(Attempt record, Execution execution) {
    AttemptOutcome outcome = record.details().outcome();
    if (outcome == LOST) {
      return diedBefore(record, execution.process());
    }
    if (execution.end() == null) {
      return false;
    }
    EndKind kind = execution.end().kind();
    return switch (kind) {
      case SUCCESS -> outcome == SUCCESS;
      // A node that stops its own work treats whatever its handlers throw then as the interrupt.
      case FAILURE -> outcome == FAILURE || outcome == HANDED_BACK;
      case INTERRUPTED -> outcome == HANDED_BACK;
    };
  }

  private static boolean diedBefore(Attempt loss, WorkerRun run) {
    Instant killedAt = run.killedAt();
    return killedAt != null && !killedAt.isAfter(loss.endedAt());
  }

  /** Only a lease that was lost or handed back may have no execution. */
  private void checkRecordsHaveExecutions() {
    for (Attempt record : records) {
      boolean known = byEpoch.containsKey(record.epoch());
      AttemptOutcome outcome = record.details().outcome();
      boolean neverStarted =
          outcome == HANDED_BACK || (outcome == LOST && isExplainedByKill(record));
      if (!known && !neverStarted) {
        violations.add("has a record of an execution that no handler logged: " + record);
      }
    }
  }

  private boolean isExplainedByKill(Attempt loss) {
    return history.runs().stream().anyMatch(run -> diedBefore(loss, run));
  }

  private void checkNoOverlap() {
    for (int i = 1; i < executions.size(); i++) {
      Execution before = executions.get(i - 1);
      Execution after = executions.get(i);
      @Nullable Instant over = before.over();
      if (over == null || after.start().isBefore(over) || after.epoch() <= before.epoch()) {
        violations.add("ran twice at the same time: " + before + ", " + after);
      }
    }
  }

  private void checkNoEarlyStart() {
    for (int i = 0; i + 1 < records.size(); i++) {
      Instant due = records.get(i).nextAttemptAt();
      Execution next = byEpoch.get(records.get(i + 1).epoch());
      if (due != null && next != null && next.start().isBefore(due)) {
        violations.add("started before it was due at " + due + ": " + next);
      }
    }
  }
}
