// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.query.MetadataIndex;
import dev.perdure.engine.spi.Deduplication;
import dev.perdure.engine.spi.ImportedHistory;
import dev.perdure.engine.spi.InitialDependencies;
import dev.perdure.engine.spi.InitialDependencies.NewDependency;
import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.spi.StoredParents;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.SubmissionReceipt.SubmissionStatus;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.store.jdbc.sql.TaskRowMapper;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Inserts tasks in the session's current transaction. */
final class SqliteSubmissionWriter {

  private final SqliteSession session;
  private final long now;

  SqliteSubmissionWriter(SqliteSession session, long now) {
    this.session = session;
    this.now = now;
  }

  SubmissionReceipt submit(Submission submission) throws SQLException {
    if (!submission.hasDedupeKeys()) {
      return submit(submission, new Deduplication(submission, Map.of()));
    }
    SqliteKeyHolders keyHolders = new SqliteKeyHolders(session, now);
    if (keyHolders.isStored(submission.batch())) {
      return submission.storedBefore(keyHolders.deduplicated(submission));
    }
    Deduplication deduplication =
        new Deduplication(
            submission,
            keyHolders.find(Shards.of(submission.batch()), Deduplication.keys(submission)));
    SubmissionReceipt receipt = submit(submission, deduplication);
    if (receipt.status() == SubmissionStatus.STORED) {
      keyHolders.replace(deduplication.replacements());
    }
    return receipt;
  }

  private SubmissionReceipt submit(Submission submission, Deduplication deduplication)
      throws SQLException {
    int shard = Shards.of(submission.batch());
    Submission remaining = deduplication.remaining();
    Submission.SubmissionKeyDigest key = submission.key();
    List<UUID> parents = remaining == null ? List.of() : remaining.storedParents();
    StoredParents found = observe(shard, parents);
    List<UUID> missing = parents.stream().filter(parent -> !found.contains(parent)).toList();
    if (!missing.isEmpty()) {
      return (key == null
              ? Optional.<SubmissionReceipt>empty()
              : existingReceipt(key, shard, submission))
          .orElse(submission.unknownParents(missing));
    }
    SubmissionReceipt receipt = deduplication.receipt();
    String text = deduplication.text();
    if (key != null && !takeKey(key, shard, receipt.batch(), text)) {
      return existingReceipt(key, shard, submission).orElseThrow();
    }
    if (key == null && text != null && remaining != null) {
      takeKey(submission.receiptKey(), shard, receipt.batch(), text);
    }
    if (remaining != null) {
      insert(
          remaining,
          new InitialDependencies(remaining, found),
          shard,
          SqliteValues.bytes(submission.batch()));
    }
    return receipt;
  }

  /** Marks stored parents, so that their ends are recorded. */
  StoredParents observe(int shard, List<UUID> parents) throws SQLException {
    Map<UUID, ParentStatus> found = new HashMap<>();
    Map<UUID, UUID> copies = new HashMap<>();
    for (UUID parent : parents) {
      for (UUID id = parent; id != null; id = copies.get(id)) {
        observe(shard, id, found, copies);
      }
    }
    return new StoredParents(found, copies);
  }

  private void observe(int shard, UUID id, Map<UUID, ParentStatus> found, Map<UUID, UUID> copies)
      throws SQLException {
    session
        .statement("graph.observe")
        .number("shard", shard)
        .id("id", id)
        .query(
            row -> {
              if (row.next()) {
                byte[] copy = row.getBytes("superseded_by");
                if (copy == null) {
                  found.put(id, SqliteColumnReader.TASK_ROW_MAPPER.parentStatus(row));
                } else {
                  copies.put(id, SqliteValues.uuid(copy));
                }
              }
            });
  }

  private boolean takeKey(
      Submission.SubmissionKeyDigest key, int shard, UUID batch, @Nullable String deduplicated)
      throws SQLException {
    return session
            .statement("submission_key.take")
            .number("now", now)
            .number("shard", shard)
            .text("id", key.id())
            .text("content_digest", key.content())
            .id("batch", batch)
            .text("deduplicated", deduplicated)
            .number("retention_ms", Submission.KEY_RETENTION.toMillis())
            .update()
        == 1;
  }

  private Optional<SubmissionReceipt> existingReceipt(
      Submission.SubmissionKeyDigest key, int shard, Submission submission) throws SQLException {
    return session
        .statement("submission_key.find")
        .number("shard", shard)
        .text("id", key.id())
        .one(
            row ->
                submission.keyInUse(
                    SqliteValues.uuid(row.getBytes("batch")),
                    row.getString("content_digest"),
                    row.getString("deduplicated"),
                    batch -> ids(shard, batch)));
  }

  private List<UUID> ids(int shard, UUID batch) throws SQLException {
    return session
        .statement("task.ids_of_batch")
        .number("shard", shard)
        .bytes("batch", SqliteValues.bytes(batch))
        .list(row -> SqliteValues.uuid(row.getBytes("id")));
  }

  private void insert(Submission submission, InitialDependencies initial, int shard, byte[] batch)
      throws SQLException {
    CachedStatement insert =
        session
            .statement("batch.insert")
            .number("shard", shard)
            .bytes("id", batch)
            .text("name", submission.definition().name())
            .text("context", submission.definition().context())
            .text("policy", submission.definition().policy())
            .text("policy_as_given", submission.definition().policyAsGiven())
            .text("actions", submission.definition().actions())
            .text("follow_ups", submission.definition().followUps());
    if (insert.number("now", now).number("size", submission.tasks().size()).update() == 0) {
      return; // The batch was already submitted.
    }
    CachedStatement state =
        session.statement("task_state.insert").number("shard", shard).bytes("batch", batch);
    CachedStatement task =
        session.statement("task.insert").number("shard", shard).bytes("batch", batch);
    state.number("now", now);
    task.number("now", now);
    dependencies(state, initial, submission.tasks().getFirst().id());
    state.text("limits", null).text("limit_key", null).text("dedupe_key", null);
    boolean special = submission.tasks().stream().anyMatch(SqliteSubmissionWriter::isSpecial);
    Map<List<String>, TaskLimit> limits = new LinkedHashMap<>();
    for (NewTaskRow row : submission.tasks()) {
      byte[] id = SqliteValues.bytes(row.id());
      if (special) {
        limits(state, row, limits);
      }
      if (!initial.isSameForAll()) {
        dependencies(state, initial, row.id());
      }
      insertState(state, id, row, initial);
      insertTask(task, id, row.definition());
      if (row.importedHistory() != null) {
        insertImportedHistory(row.importedHistory(), shard, id);
      }
    }
    LimitEventWriter events = new LimitEventWriter(session, now);
    for (Map.Entry<List<String>, TaskLimit> entry : limits.entrySet()) {
      events.submitted(shard, entry.getKey().getFirst(), entry.getValue());
    }
    insertDependencies(shard, initial);
    if (submission.definition().hasRuns()) {
      insertRun(shard, batch, 0, submission.tasks().size());
    }
  }

  private static boolean isSpecial(NewTaskRow row) {
    return row.definition().rules() != null || row.definition().dedupeKey() != null;
  }

  /** Binds what few tasks have, and collects the limits by queue and key. */
  private static void limits(
      CachedStatement insert, NewTaskRow row, Map<List<String>, TaskLimit> used)
      throws SQLException {
    List<TaskLimit> limits = LimitRules.of(row.definition());
    insert
        .text("limits", TaskLimit.keys(limits))
        .text("limit_key", limits.isEmpty() ? null : limits.getFirst().key())
        .text("dedupe_key", row.definition().dedupeKey());
    limits.forEach(limit -> used.put(List.of(row.definition().queueOrKind(), limit.key()), limit));
  }

  void insertRun(int shard, byte[] batch, int run, int tasks) throws SQLException {
    session
        .statement("run.insert")
        .number("now", now)
        .number("shard", shard)
        .bytes("batch", batch)
        .number("run", run)
        .number("open", tasks)
        .update();
  }

  void insertDependencies(int shard, InitialDependencies initial) throws SQLException {
    for (NewDependency row : initial.rows()) {
      session
          .statement("dependency.insert")
          .number("shard", shard)
          .id("parent", row.dependency().parent())
          .id("child", row.dependency().child())
          .flag("required", row.dependency().requiresSuccess())
          .number("outcome", row.outcome() == null ? null : (Long) (long) row.outcome().code())
          .flag("deferred", row.deferred())
          .update();
    }
    insertEvents(shard, initial.events());
  }

  void insertEvents(int shard, List<UUID> tasks) throws SQLException {
    for (UUID task : tasks) {
      session
          .statement("propagation_event.insert")
          .number("now", now)
          .number("shard", shard)
          .id("task", task)
          .update();
    }
  }

  private static void dependencies(CachedStatement insert, InitialDependencies initial, UUID task)
      throws SQLException {
    insert
        .number("unmet", initial.counts(task).unmet())
        .number("unmet_failed", initial.counts(task).failed())
        .number("observers", initial.observers(task));
  }

  private static void insertState(
      CachedStatement insert, byte[] id, NewTaskRow row, InitialDependencies initial)
      throws SQLException {
    TaskDefinition definition = row.definition();
    ImportedHistory history = row.importedHistory();
    DueTime dueTime = row.due() instanceof DueTime.Unchanged ? DueTime.now() : row.due();
    SqliteChangeWriter.due(insert, dueTime)
        .bytes("id", id)
        .text("kind", definition.kind())
        .number("priority", definition.priority())
        .number("timeout_ms", SqliteValues.millis(definition.timeout()))
        .number("deadline_at", SqliteValues.millis(definition.deadline()))
        .text("queue", definition.queue())
        .number("expected_count", row.expectedCount())
        .text("state", initial.state(row).text())
        .number("epoch", row.epoch())
        .number("attempt", row.retryCounters().attempt())
        .number("prev_delay_ms", SqliteValues.millis(row.retryCounters().previousDelay()))
        .text("failure_kind", history == null ? null : history.last().details().failureKind())
        .text("error", history == null ? null : history.error())
        .number("age_ms", history == null ? null : SqliteValues.millis(history.age()))
        .number(
            "started_ago_ms",
            history == null ? null : SqliteValues.millis(history.last().startedAgo()))
        .update();
  }

  private static void insertTask(CachedStatement insert, byte[] id, TaskDefinition definition)
      throws SQLException {
    insert
        .bytes("id", id)
        .text("name", definition.name())
        .text("payload", definition.payload())
        .text("metadata", definition.metadata())
        .text("metadata_index", MetadataIndex.indexText(definition.metadata()))
        .text("policy", definition.policy())
        .text("policy_as_given", definition.policyAsGiven())
        .text("strategy", definition.strategy())
        .text("idempotency_key", definition.idempotencyKey())
        .text("local_id", definition.localId())
        .text("actions", definition.actions())
        .text("trace", definition.traceText())
        .text("rules", definition.rules())
        .update();
  }

  private void insertImportedHistory(ImportedHistory history, int shard, byte[] id)
      throws SQLException {
    CachedStatement insert =
        session.statement("attempt.insert_imported").number("shard", shard).bytes("id", id);
    insert.number("now", now).text("worker", history.worker());
    for (ImportedHistory.PriorAttempt attempt : history.attempts()) {
      AttemptDetails details = attempt.details();
      insert
          .number("epoch", attempt.epoch())
          .number("number", attempt.number())
          .number("started_ago_ms", SqliteValues.millis(attempt.startedAgo()))
          .number("ended_ago_ms", SqliteValues.millis(attempt.endedAgo()))
          .text("outcome", details.outcome().text())
          .text("failure_kind", details.failureKind())
          .number("status", details.status())
          .text("code", details.code())
          .text("message", details.message())
          .text("exception_types", TaskRowMapper.types(details.exceptionTypes()))
          .text("stack", details.stack())
          .number("delay_ms", SqliteValues.millis(attempt.delay()))
          .update();
    }
  }
}
