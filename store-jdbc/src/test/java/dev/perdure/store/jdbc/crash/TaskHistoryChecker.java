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
 * Holds one task, its records and its executions against each other.
 *
 * <p>A lease is over when its handler ended, or when its process was killed. So executions of one
 * task never overlap, and a loss is only ever recorded of a process that was killed before.
 */
final class TaskHistoryChecker {

  private final Task task;
  private final List<Attempt> records;
  private final List<Execution> executions;
  private final History history;
  private final Map<Long, Execution> byEpoch = new HashMap<>();
  private final List<String> faults = new ArrayList<>();

  TaskHistoryChecker(StoredHistory storedHistory, List<Execution> executions, History history) {
    this.task = storedHistory.task();
    this.records = storedHistory.attempts();
    this.executions = executions.stream().sorted(Comparator.comparing(Execution::start)).toList();
    this.history = history;
  }

  List<String> violations() {
    hasEndedOnce();
    hasARecordOfEachLease();
    isNumberedWithoutGap();
    ranEachLeaseOnce();
    accountsForEachExecution();
    knowsEachRecord();
    neverOverlaps();
    neverStartsTooEarly();
    return faults;
  }

  private void hasEndedOnce() {
    if (task.state() != TaskState.SUCCESS && task.state() != TaskState.FAILURE) {
      faults.add("has not ended: " + task.state() + ", " + task.retryCounters());
      return;
    }
    if (task.lastResult().giveUpReason() == TaskGiveUpReason.LOST) {
      faults.add("ended as lost");
    }
    List<Attempt> ends = records.stream().filter(TaskHistoryChecker::isFinal).toList();
    if (ends.size() != 1) {
      faults.add("has " + ends.size() + " ends: " + ends);
      return;
    }
    Attempt end = ends.getFirst();
    AttemptOutcome expected = task.state() == TaskState.SUCCESS ? SUCCESS : FAILURE;
    if (end.details().outcome() != expected || end.epoch() != task.epoch()) {
      faults.add("is " + task.state() + " in epoch " + task.epoch() + ", but its end is " + end);
    }
  }

  private static boolean isFinal(Attempt record) {
    AttemptOutcome outcome = record.details().outcome();
    return outcome == SUCCESS || (outcome == FAILURE && record.nextAttemptAt() == null);
  }

  private void hasARecordOfEachLease() {
    List<Long> epochs = records.stream().map(Attempt::epoch).toList();
    for (int i = 0; i < epochs.size(); i++) {
      if (epochs.get(i) != i + 1) {
        faults.add("has records of the epochs " + epochs);
        return;
      }
    }
    if (task.state().isTerminal() && epochs.size() != task.epoch()) {
      faults.add("is in epoch " + task.epoch() + ", with records of the epochs " + epochs);
    }
  }

  private void isNumberedWithoutGap() {
    long expected = 0;
    for (Attempt record : records) {
      if (record.number() != expected) {
        faults.add("has attempt " + record.number() + " in place of " + expected);
        return;
      }
      expected += record.details().outcome() == FAILURE ? 1 : 0;
    }
  }

  private void ranEachLeaseOnce() {
    for (Execution execution : executions) {
      Execution other = byEpoch.put(execution.epoch(), execution);
      if (other != null) {
        faults.add("ran twice under one lease: " + other + ", " + execution);
      }
    }
  }

  private void accountsForEachExecution() {
    for (Execution execution : executions) {
      Attempt record =
          records.stream().filter(it -> it.epoch() == execution.epoch()).findFirst().orElse(null);
      if (record == null || record.number() != execution.attempt()) {
        faults.add("has an execution without a record: " + execution);
      } else if (!Objects.equals(record.worker(), execution.worker())
          || !agrees(record, execution)) {
        faults.add("has a record, " + record + ", that contradicts its " + execution);
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
    EndKind endKind = execution.end().kind();
    return switch (endKind) {
      case SUCCESS -> outcome == SUCCESS;
      // A node that stops itself takes whatever its handlers throw then for the interrupt.
      case FAILURE -> outcome == FAILURE || outcome == HANDED_BACK;
      case INTERRUPTED -> outcome == HANDED_BACK;
    };
  }

  private static boolean diedBefore(Attempt loss, WorkerRun run) {
    Instant killedAt = run.killedAt();
    return killedAt != null && !killedAt.isAfter(loss.endedAt());
  }

  /** Only a lease that was lost or handed back may never have come to its handler. */
  private void knowsEachRecord() {
    for (Attempt record : records) {
      boolean known = byEpoch.containsKey(record.epoch());
      AttemptOutcome outcome = record.details().outcome();
      boolean neverBegun = outcome == HANDED_BACK || (outcome == LOST && isExplainedByKill(record));
      if (!known && !neverBegun) {
        faults.add("has a record of an execution that nobody knows: " + record);
      }
    }
  }

  private boolean isExplainedByKill(Attempt loss) {
    return history.runs().stream().anyMatch(run -> diedBefore(loss, run));
  }

  private void neverOverlaps() {
    for (int i = 1; i < executions.size(); i++) {
      Execution before = executions.get(i - 1);
      Execution after = executions.get(i);
      @Nullable Instant over = before.over();
      if (over == null || after.start().isBefore(over) || after.epoch() <= before.epoch()) {
        faults.add("ran twice at once: " + before + ", " + after);
      }
    }
  }

  private void neverStartsTooEarly() {
    for (int i = 0; i + 1 < records.size(); i++) {
      Instant due = records.get(i).nextAttemptAt();
      Execution next = byEpoch.get(records.get(i + 1).epoch());
      if (due != null && next != null && next.start().isBefore(due)) {
        faults.add("started before it was due at " + due + ": " + next);
      }
    }
  }
}
