// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.AttemptNote;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.sql.TaskRows;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Changing tasks, in whatever transaction the session is in. */
final class TaskWrites {

  private final Session session;
  private final long now;

  TaskWrites(Session session, long now) {
    this.session = session;
    this.now = now;
  }

  List<Verdict> apply(List<Change> changes) throws SQLException {
    List<Verdict> verdicts = new ArrayList<>(changes.size());
    Set<UUID> tried = new HashSet<>();
    for (Change change : changes) {
      verdicts.add(tried.add(change.task()) ? apply(change) : refused(change.task()));
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
    if (write(change, shard, id) == 0) {
      return refused(change.task());
    }
    for (NewDelivery delivery : change.deliveries()) {
      insert(delivery, change.task());
    }
    return Verdict.done();
  }

  /** Tells how many were written: none when there is no such task. */
  int insert(NewDelivery delivery, UUID task) throws SQLException {
    return session
        .sql("delivery.insert")
        .number("now", now)
        .number("shard", Shards.of(task))
        .id("id", delivery.id())
        .id("task", task)
        .text("trigger", delivery.announcement().trigger())
        .text("request", delivery.announcement().request())
        .update();
  }

  private int record(Change change, AttemptNote note, int shard, byte[] id) throws SQLException {
    Prepared insert = session.sql("attempt.insert");
    return guarded(insert, change, shard, id)
        .flag("claimable", change.to().isClaimable())
        .text("worker", change.guard().worker())
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
        .number("hold_set", change.holding().set())
        .number("hold_clear", change.holding().clear())
        .number("attempt", change.counting().attempt())
        .number("losses", change.counting().losses())
        .number("retry_base", change.counting().retryBase())
        .number("prev_delay_ms", Values.millis(change.counting().previousDelay()))
        .flag("anew", change.countsAnew())
        .flag("held", change.to().isHeld())
        .flag("starts", change.event() == TaskEvent.START)
        .flag("entrusts", change.entrusts())
        .text("cancel_action", change.cancelAction())
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
        .flag("lost", change.note() != null && change.note().outcome() == AttemptOutcome.LOST)
        .number("success", change.tally().success())
        .number("failures", change.tally().failures());
  }

  static Prepared due(Prepared statement, Due due) throws SQLException {
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

  /** What is found instead of what a refused write expected. */
  Verdict refused(UUID task) throws SQLException {
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
