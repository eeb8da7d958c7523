// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Submission.NewRow;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.AttemptNote;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Definition;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.sql.TaskRows;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Submitting and changing tasks, in whatever transaction the session is in. */
final class TaskWrites {

  private final Session session;
  private final long now;

  TaskWrites(Session session, long now) {
    this.session = session;
    this.now = now;
  }

  void submit(Submission submission) throws SQLException {
    int shard = Shards.of(submission.batch());
    byte[] batch = Values.bytes(submission.batch());
    session
        .sql("batch.insert")
        .number("shard", shard)
        .bytes("id", batch)
        .number("now", now)
        .number("size", submission.tasks().size())
        .update();
    Prepared state =
        session
            .sql("task_state.insert")
            .number("shard", shard)
            .bytes("batch", batch)
            .number("now", now);
    Prepared task =
        session.sql("task.insert").number("shard", shard).bytes("batch", batch).number("now", now);
    for (NewRow row : submission.tasks()) {
      byte[] id = Values.bytes(row.id());
      // A definition comes with its state only: what is there already stays as it is.
      if (insertState(state, id, row) == 1) {
        insertTask(task, id, row.definition());
      }
    }
  }

  private static int insertState(Prepared insert, byte[] id, NewRow row) throws SQLException {
    Definition definition = row.definition();
    Due due = row.due() instanceof Due.Unchanged ? Due.now() : row.due();
    return due(insert, due)
        .bytes("id", id)
        .text("kind", definition.kind())
        .number("priority", definition.priority())
        .number("timeout_ms", Values.millis(definition.timeout()))
        .number("deadline_at", Values.millis(definition.deadline()))
        .update();
  }

  private static void insertTask(Prepared insert, byte[] id, Definition definition)
      throws SQLException {
    insert
        .bytes("id", id)
        .text("name", definition.name())
        .text("payload", definition.payload())
        .text("metadata", definition.metadata())
        .text("policy", definition.policy())
        .text("strategy", definition.strategy())
        .text("idempotency_key", definition.idempotencyKey())
        .text("local_id", definition.localId())
        .update();
  }

  List<Verdict> apply(List<Change> changes) throws SQLException {
    List<Verdict> verdicts = new ArrayList<>(changes.size());
    for (Change change : changes) {
      verdicts.add(apply(change));
    }
    return verdicts;
  }

  private Verdict apply(Change change) throws SQLException {
    byte[] id = Values.bytes(change.task());
    int shard = Shards.of(change.task());
    AttemptNote note = change.note();
    if (note != null && record(change, note, shard, id) == 0) {
      return refused(change.task());
    }
    return write(change, shard, id) == 0 ? refused(change.task()) : Verdict.done();
  }

  private int record(Change change, AttemptNote note, int shard, byte[] id) throws SQLException {
    Prepared insert = session.sql("attempt.insert");
    return guarded(insert, change, shard, id)
        .flag("claimable", change.to().isClaimable())
        .text("outcome", note.outcome().text())
        .text("failure_kind", note.failureKind())
        .number("status", note.status())
        .text("code", note.code())
        .text("message", note.message())
        .text("exception_types", TaskRows.types(note.exceptionTypes()))
        .text("stack", note.stack())
        .number("delay_ms", Values.millis(note.delay()))
        .text("result", note.result())
        .update();
  }

  private int write(Change change, int shard, byte[] id) throws SQLException {
    AttemptNote note = change.note();
    Prepared update = session.sql("task_state.apply");
    return guarded(update, change, shard, id)
        .text("next", change.to().text())
        .number("hold_set", change.holdSet())
        .number("hold_clear", change.holdClear())
        .number("attempt", change.counting().attempt())
        .number("losses", change.counting().losses())
        .number("retry_base", change.counting().retryBase())
        .number("prev_delay_ms", Values.millis(change.counting().previousDelay()))
        .flag("anew", change.countsAnew())
        .flag("held", change.to().isHeld())
        .flag("starts", change.event() == TaskEvent.START)
        .flag("ended", change.to().isTerminal())
        .text("outcome", note == null ? null : note.outcome().text())
        .text("failure_kind", note == null ? null : note.failureKind())
        .text("reason", change.reason() == null ? null : change.reason().text())
        .update();
  }

  private Prepared guarded(Prepared statement, Change change, int shard, byte[] id)
      throws SQLException {
    return due(statement, change.due())
        .number("now", now)
        .number("shard", shard)
        .bytes("id", id)
        .text("prior", change.guard().from().text())
        .number("epoch", change.guard().epoch())
        .number("at_attempt", change.guard().attempt())
        .flag("inactive", change.guard().inactive())
        .flag("lost", change.note() != null && change.note().outcome() == AttemptOutcome.LOST);
  }

  private static Prepared due(Prepared statement, Due due) throws SQLException {
    @Nullable Long inMs = due instanceof Due.In in ? Values.millis(in.delay()) : null;
    @Nullable Long at = due instanceof Due.At instant ? Values.millis(instant.instant()) : null;
    return statement.number("due_in_ms", inMs).number("due_at", at);
  }

  /** Writes that the attempt is alive, if its lease is still the last. */
  Verdict sign(SignOfLife sign) throws SQLException {
    LeaseKey key = sign.key();
    int written =
        session
            .sql("task_state.sign")
            .number("now", now)
            .number("shard", Shards.of(key.task()))
            .id("id", key.task())
            .number("epoch", key.epoch())
            .number("success", sign.success())
            .number("expected_count", sign.expected())
            .number("lease_ms", Values.millis(sign.lease()))
            .update();
    return written == 0 ? refused(key.task()) : Verdict.done();
  }

  private Verdict refused(UUID task) throws SQLException {
    return session
        .sql("task_state.standing")
        .number("shard", Shards.of(task))
        .id("id", task)
        .row(
            row ->
                Verdict.refused(
                    TaskState.of(row.getString("state")).orElseThrow(), row.getLong("epoch")))
        .orElse(Verdict.missing());
  }
}
