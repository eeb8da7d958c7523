// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.sql.TaskRowMapper;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Changing tasks, in whatever transaction the session is in. */
final class SqliteChangeWriter {

  private final SqliteSession sqliteSession;
  private final long now;

  SqliteChangeWriter(SqliteSession sqliteSession, long now) {
    this.sqliteSession = sqliteSession;
    this.now = now;
  }

  List<WriteResult> apply(List<TaskChange> taskChanges) throws SQLException {
    List<WriteResult> writeResults = new ArrayList<>(taskChanges.size());
    Set<UUID> tried = new HashSet<>();
    for (TaskChange taskChange : taskChanges) {
      writeResults.add(
          tried.add(taskChange.task()) ? apply(taskChange) : refused(taskChange.task()));
    }
    return writeResults;
  }

  private WriteResult apply(TaskChange taskChange) throws SQLException {
    byte[] id = SqliteValues.bytes(taskChange.task());
    int shard = Shards.of(taskChange.task());
    AttemptDetails note = taskChange.attemptDetails();
    if (note != null && insertAttempt(taskChange, note, shard, id) == 0) {
      return refused(taskChange.task());
    }
    if (updateState(taskChange, shard, id) == 0) {
      return refused(taskChange.task());
    }
    for (NewDelivery delivery : taskChange.deliveries()) {
      insertDelivery(delivery, taskChange.task());
    }
    return WriteResult.written();
  }

  /** Tells how many were written: none when there is no such task. */
  int insertDelivery(NewDelivery delivery, UUID task) throws SQLException {
    return sqliteSession
        .statement("delivery.insert")
        .number("now", now)
        .number("shard", Shards.of(task))
        .id("id", delivery.id())
        .id("task", task)
        .text("trigger", delivery.message().trigger())
        .text("request", delivery.message().request())
        .update();
  }

  private int insertAttempt(TaskChange taskChange, AttemptDetails note, int shard, byte[] id)
      throws SQLException {
    CachedStatement insert = sqliteSession.statement("attempt.insert");
    return guarded(insert, taskChange, shard, id)
        .flag("claimable", taskChange.to().isClaimable())
        .text("worker", taskChange.guard().worker())
        .text("outcome", note.outcome().text())
        .text("failure_kind", note.failureKind())
        .number("status", note.status())
        .text("code", note.code())
        .text("message", note.message())
        .text("exception_types", TaskRowMapper.types(note.exceptionTypes()))
        .text("stack", note.stack())
        .number("delay_ms", SqliteValues.millis(note.delay()))
        .text("result", note.result())
        .update();
  }

  private int updateState(TaskChange taskChange, int shard, byte[] id) throws SQLException {
    AttemptDetails note = taskChange.attemptDetails();
    CachedStatement update = sqliteSession.statement("task_state.apply");
    return guarded(update, taskChange, shard, id)
        .text("to_state", taskChange.to().text())
        .number("hold_set", taskChange.holdChange().set())
        .number("hold_clear", taskChange.holdChange().clear())
        .number("attempt", taskChange.retryCounters().attempt())
        .number("losses", taskChange.retryCounters().losses())
        .number("retry_base", taskChange.retryCounters().retryBase())
        .number("prev_delay_ms", SqliteValues.millis(taskChange.retryCounters().previousDelay()))
        .flag("resets_retries", taskChange.resetsRetries())
        .flag("leased", taskChange.to().isLeased())
        .flag("starts", taskChange.event() == TaskEvent.START)
        .flag("hands_off", taskChange.handsOff())
        .text("cancel_action", taskChange.cancelAction())
        .flag("ended", taskChange.to().isTerminal())
        .text("outcome", note == null ? null : note.outcome().text())
        .text("failure_kind", note == null ? null : note.failureKind())
        .text(
            "give_up_reason",
            taskChange.giveUpReason() == null ? null : taskChange.giveUpReason().text())
        .update();
  }

  private CachedStatement guarded(
      CachedStatement statement, TaskChange taskChange, int shard, byte[] id) throws SQLException {
    return due(statement, taskChange.due())
        .number("now", now)
        .number("shard", shard)
        .bytes("id", id)
        .text("from_state", taskChange.guard().from().text())
        .number("epoch", taskChange.guard().epoch())
        .number("expected_attempt", taskChange.guard().attempt())
        .flag("require_inactive", taskChange.guard().inactive())
        .flag(
            "lost",
            taskChange.attemptDetails() != null
                && taskChange.attemptDetails().outcome() == AttemptOutcome.LOST)
        .number("success", taskChange.counterDelta().success())
        .number("failures", taskChange.counterDelta().failures());
  }

  static CachedStatement due(CachedStatement statement, Due due) throws SQLException {
    @Nullable Long inMs = due instanceof Due.In in ? SqliteValues.millis(in.delay()) : null;
    @Nullable Long at =
        due instanceof Due.At instant ? SqliteValues.millis(instant.instant()) : null;
    return statement.number("due_in_ms", inMs).number("due_at", at);
  }

  /** Writes that the attempt is alive, if its lease is still the last. */
  WriteResult heartbeat(Heartbeat sign) throws SQLException {
    LeaseKey key = sign.key();
    int written =
        sqliteSession
            .statement("task_state.heartbeat")
            .number("now", now)
            .number("shard", Shards.of(key.task()))
            .id("id", key.task())
            .number("epoch", key.epoch())
            .number("success", sign.success())
            .number("expected_count", sign.expected())
            .number("lease_ms", SqliteValues.millis(sign.lease()))
            .update();
    return written == 0 ? refused(key.task()) : WriteResult.written();
  }

  /** What is found instead of what a refused write expected. */
  WriteResult refused(UUID task) throws SQLException {
    return sqliteSession
        .statement("task_state.current_state")
        .number("shard", Shards.of(task))
        .id("id", task)
        .one(
            row ->
                WriteResult.refused(
                    TaskState.of(row.getString("state")).orElseThrow(), row.getLong("epoch")))
        .orElse(WriteResult.notFound());
  }
}
