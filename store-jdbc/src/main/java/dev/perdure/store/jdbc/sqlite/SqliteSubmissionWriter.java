// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.query.MetadataIndex;
import dev.perdure.engine.spi.ImportedHistory;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.store.jdbc.sql.TaskRowMapper;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** Adding tasks, in whatever transaction the session is in. */
final class SqliteSubmissionWriter {

  private final SqliteSession sqliteSession;
  private final long now;

  SqliteSubmissionWriter(SqliteSession sqliteSession, long now) {
    this.sqliteSession = sqliteSession;
    this.now = now;
  }

  SubmissionReceipt submit(Submission submission) throws SQLException {
    int shard = Shards.of(submission.batch());
    byte[] batch = SqliteValues.bytes(submission.batch());
    Submission.SubmissionKeyDigest submissionKeyDigest = submission.key();
    if (submissionKeyDigest != null && !takeKey(submissionKeyDigest, shard, batch)) {
      return existingReceipt(submissionKeyDigest, shard, submission);
    }
    insert(submission, shard, batch);
    return submission.stored();
  }

  private boolean takeKey(
      Submission.SubmissionKeyDigest submissionKeyDigest, int shard, byte[] batch)
      throws SQLException {
    return sqliteSession
            .statement("submission_key.take")
            .number("now", now)
            .number("shard", shard)
            .text("id", submissionKeyDigest.id())
            .text("content_digest", submissionKeyDigest.content())
            .bytes("batch", batch)
            .number("retention_ms", Submission.KEY_RETENTION.toMillis())
            .update()
        == 1;
  }

  private SubmissionReceipt existingReceipt(
      Submission.SubmissionKeyDigest submissionKeyDigest, int shard, Submission submission)
      throws SQLException {
    return sqliteSession
        .statement("submission_key.find")
        .number("shard", shard)
        .text("id", submissionKeyDigest.id())
        .one(
            row -> {
              byte[] batch = row.getBytes("batch");
              return submission.keyTaken(
                  SqliteValues.uuid(batch), row.getString("content_digest"), ids(shard, batch));
            })
        .orElseThrow();
  }

  private List<UUID> ids(int shard, byte[] batch) throws SQLException {
    return sqliteSession
        .statement("task.ids_of_batch")
        .number("shard", shard)
        .bytes("batch", batch)
        .list(row -> SqliteValues.uuid(row.getBytes("id")));
  }

  private void insert(Submission submission, int shard, byte[] batch) throws SQLException {
    CachedStatement insert =
        sqliteSession.statement("batch.insert").number("shard", shard).bytes("id", batch);
    if (insert.number("now", now).number("size", submission.tasks().size()).update() == 0) {
      return; // It was submitted before.
    }
    CachedStatement state =
        sqliteSession.statement("task_state.insert").number("shard", shard).bytes("batch", batch);
    CachedStatement task =
        sqliteSession.statement("task.insert").number("shard", shard).bytes("batch", batch);
    state.number("now", now);
    task.number("now", now);
    for (NewTaskRow row : submission.tasks()) {
      byte[] id = SqliteValues.bytes(row.id());
      insertState(state, id, row);
      insertTask(task, id, row.definition());
      if (row.importedHistory() != null) {
        insertImportedHistory(row.importedHistory(), shard, id);
      }
    }
  }

  private static void insertState(CachedStatement insert, byte[] id, NewTaskRow row)
      throws SQLException {
    TaskDefinition taskDefinition = row.definition();
    ImportedHistory importedHistory = row.importedHistory();
    Due due = row.due() instanceof Due.Unchanged ? Due.now() : row.due();
    SqliteChangeWriter.due(insert, due)
        .bytes("id", id)
        .text("kind", taskDefinition.kind())
        .number("priority", taskDefinition.priority())
        .number("timeout_ms", SqliteValues.millis(taskDefinition.timeout()))
        .number("deadline_at", SqliteValues.millis(taskDefinition.deadline()))
        .text("queue", taskDefinition.queue())
        .number("expected_count", row.expectedCount())
        .text("state", row.state().text())
        .number("epoch", row.epoch())
        .number("attempt", row.retryCounters().attempt())
        .number("prev_delay_ms", SqliteValues.millis(row.retryCounters().previousDelay()))
        .text(
            "failure_kind",
            importedHistory == null ? null : importedHistory.last().details().failureKind())
        .number(
            "age_ms", importedHistory == null ? null : SqliteValues.millis(importedHistory.age()))
        .number(
            "started_ago_ms",
            importedHistory == null
                ? null
                : SqliteValues.millis(importedHistory.last().startedAgo()))
        .update();
  }

  private static void insertTask(CachedStatement insert, byte[] id, TaskDefinition taskDefinition)
      throws SQLException {
    insert
        .bytes("id", id)
        .text("name", taskDefinition.name())
        .text("payload", taskDefinition.payload())
        .text("metadata", taskDefinition.metadata())
        .text("metadata_index", MetadataIndex.indexText(taskDefinition.metadata()))
        .text("policy", taskDefinition.policy())
        .text("strategy", taskDefinition.strategy())
        .text("idempotency_key", taskDefinition.idempotencyKey())
        .text("local_id", taskDefinition.localId())
        .text("actions", taskDefinition.actions())
        .text("trace", taskDefinition.traceText())
        .update();
  }

  private void insertImportedHistory(ImportedHistory importedHistory, int shard, byte[] id)
      throws SQLException {
    CachedStatement insert =
        sqliteSession.statement("attempt.insert_imported").number("shard", shard).bytes("id", id);
    insert.number("now", now).text("worker", importedHistory.worker());
    for (ImportedHistory.PriorAttempt priorAttempt : importedHistory.attempts()) {
      AttemptDetails note = priorAttempt.details();
      insert
          .number("epoch", priorAttempt.epoch())
          .number("number", priorAttempt.number())
          .number("started_ago_ms", SqliteValues.millis(priorAttempt.startedAgo()))
          .number("ended_ago_ms", SqliteValues.millis(priorAttempt.endedAgo()))
          .text("outcome", note.outcome().text())
          .text("failure_kind", note.failureKind())
          .number("status", note.status())
          .text("code", note.code())
          .text("message", note.message())
          .text("exception_types", TaskRowMapper.types(note.exceptionTypes()))
          .text("stack", note.stack())
          .number("delay_ms", SqliteValues.millis(priorAttempt.delay()))
          .update();
    }
  }
}
