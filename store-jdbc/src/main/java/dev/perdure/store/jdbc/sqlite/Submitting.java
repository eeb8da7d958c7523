// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.store.Facets;
import dev.perdure.engine.store.Receipt;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Submission.NewRow;
import dev.perdure.engine.task.AttemptNote;
import dev.perdure.engine.task.Definition;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Past;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.sql.TaskRows;
import java.sql.SQLException;

/** Adding tasks, in whatever transaction the session is in. */
final class Submitting {

  private final Session session;
  private final long now;

  Submitting(Session session, long now) {
    this.session = session;
    this.now = now;
  }

  Receipt submit(Submission submission) throws SQLException {
    int shard = Shards.of(submission.batch());
    byte[] batch = Values.bytes(submission.batch());
    Submission.Key key = submission.key();
    if (key != null && !takes(key, shard, batch)) {
      return taken(key, shard, submission);
    }
    insert(submission, shard, batch);
    return Receipt.stored(submission);
  }

  private boolean takes(Submission.Key key, int shard, byte[] batch) throws SQLException {
    return session
            .sql("submission_key.take")
            .number("now", now)
            .number("shard", shard)
            .text("id", key.id())
            .text("content", key.content())
            .bytes("batch", batch)
            .number("kept_ms", Submission.KEY_KEPT.toMillis())
            .update()
        == 1;
  }

  private Receipt taken(Submission.Key key, int shard, Submission submission) throws SQLException {
    return session
        .sql("submission_key.find")
        .number("shard", shard)
        .text("id", key.id())
        .row(
            row ->
                Receipt.taken(
                    submission, Values.uuid(row.getBytes("batch")), row.getString("content")))
        .orElseThrow();
  }

  private void insert(Submission submission, int shard, byte[] batch) throws SQLException {
    Prepared insert = session.sql("batch.insert").number("shard", shard).bytes("id", batch);
    if (insert.number("now", now).number("size", submission.tasks().size()).update() == 0) {
      return; // It was submitted before.
    }
    Prepared state = session.sql("task_state.insert").number("shard", shard).bytes("batch", batch);
    Prepared task = session.sql("task.insert").number("shard", shard).bytes("batch", batch);
    state.number("now", now);
    task.number("now", now);
    for (NewRow row : submission.tasks()) {
      byte[] id = Values.bytes(row.id());
      insertState(state, id, row);
      insertTask(task, id, row.definition());
      if (row.past() != null) {
        insertPast(row.past(), shard, id);
      }
    }
  }

  private static void insertState(Prepared insert, byte[] id, NewRow row) throws SQLException {
    Definition definition = row.definition();
    Past past = row.past();
    Due due = row.due() instanceof Due.Unchanged ? Due.now() : row.due();
    TaskWrites.due(insert, due)
        .bytes("id", id)
        .text("kind", definition.kind())
        .number("priority", definition.priority())
        .number("timeout_ms", Values.millis(definition.timeout()))
        .number("deadline_at", Values.millis(definition.deadline()))
        .text("lane", definition.lane())
        .number("expected_count", row.expectedCount())
        .text("state", row.state().text())
        .number("epoch", row.epoch())
        .number("attempt", row.counting().attempt())
        .number("prev_delay_ms", Values.millis(row.counting().previousDelay()))
        .text("failure_kind", past == null ? null : past.last().note().failureKind())
        .number("age_ms", past == null ? null : Values.millis(past.age()))
        .number("started_ago_ms", past == null ? null : Values.millis(past.last().startedAgo()))
        .update();
  }

  private static void insertTask(Prepared insert, byte[] id, Definition definition)
      throws SQLException {
    insert
        .bytes("id", id)
        .text("name", definition.name())
        .text("payload", definition.payload())
        .text("metadata", definition.metadata())
        .text("facets", Facets.kept(definition.metadata()))
        .text("policy", definition.policy())
        .text("strategy", definition.strategy())
        .text("idempotency_key", definition.idempotencyKey())
        .text("local_id", definition.localId())
        .text("actions", definition.actions())
        .text("trace", definition.wiring().traceText())
        .update();
  }

  private void insertPast(Past past, int shard, byte[] id) throws SQLException {
    Prepared insert = session.sql("attempt.insert_past").number("shard", shard).bytes("id", id);
    insert.number("now", now).text("worker", past.worker());
    for (Past.Failed failed : past.attempts()) {
      AttemptNote note = failed.note();
      insert
          .number("epoch", failed.epoch())
          .number("number", failed.number())
          .number("started_ago_ms", Values.millis(failed.startedAgo()))
          .number("ended_ago_ms", Values.millis(failed.endedAgo()))
          .text("outcome", note.outcome().text())
          .text("failure_kind", note.failureKind())
          .number("status", note.status())
          .text("code", note.code())
          .text("message", note.message())
          .text("exception_types", TaskRows.types(note.exceptionTypes()))
          .text("stack", note.stack())
          .number("delay_ms", Values.millis(failed.delay()))
          .update();
    }
  }
}
