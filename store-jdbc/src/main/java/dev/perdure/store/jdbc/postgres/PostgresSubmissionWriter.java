// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.query.MetadataIndex;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Adds tasks on a connection whose transaction is somebody else's. */
final class PostgresSubmissionWriter {

  /** So many rows go in one statement; a larger submission is several, in one transaction. */
  static final int MAX_ROWS_PER_STATEMENT = 2_000;

  private static final int MAX_BATCHED_TASKS = 100;

  private final PostgresExecutor executor;
  private final ImportedHistoryWriter importedHistory;

  PostgresSubmissionWriter(PostgresExecutor postgresExecutor) {
    this.executor = postgresExecutor;
    this.importedHistory = new ImportedHistoryWriter(postgresExecutor);
  }

  /** Adds them all or none; also on a connection that commits each statement. */
  SubmissionReceipt submitAtomically(Connection connection, Submission submission)
      throws SQLException {
    boolean single =
        submission.tasks().size() <= MAX_ROWS_PER_STATEMENT && submission.key() == null;
    if (single && submission.tasks().stream().allMatch(row -> row.importedHistory() == null)) {
      submit(connection, submission);
      return submission.stored();
    }
    return PostgresExecutor.inTransaction(
        connection, (same, unsure) -> submitUnderKey(same, submission));
  }

  private SubmissionReceipt submitUnderKey(Connection connection, Submission submission)
      throws SQLException {
    Submission.SubmissionKeyDigest submissionKeyDigest = submission.key();
    if (submissionKeyDigest != null
        && !takeKey(connection, submissionKeyDigest, submission.batch())) {
      return taken(connection, submissionKeyDigest, submission);
    }
    submit(connection, submission);
    return submission.stored();
  }

  private boolean takeKey(
      Connection connection, Submission.SubmissionKeyDigest submissionKeyDigest, UUID batch)
      throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "submission_key.take")) {
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      PostgresParameters.uuid(namedParameterStatement, "batch", batch);
      return namedParameterStatement
              .integer("shard", Shards.of(batch))
              .text("id", submissionKeyDigest.id())
              .text("content_digest", submissionKeyDigest.content())
              .number("retention_ms", SqlTimes.toMillis(Submission.KEY_RETENTION))
              .update()
          == 1;
    }
  }

  private SubmissionReceipt taken(
      Connection connection,
      Submission.SubmissionKeyDigest submissionKeyDigest,
      Submission submission)
      throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "submission_key.find")) {
      ResultSet row =
          namedParameterStatement
              .integer("shard", Shards.of(submission.batch()))
              .text("id", submissionKeyDigest.id())
              .query();
      row.next();
      UUID batch = row.getObject("batch", UUID.class);
      return submission.keyTaken(batch, row.getString("content_digest"), ids(connection, batch));
    }
  }

  private List<UUID> ids(Connection connection, UUID batch) throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "task.ids_of_batch")) {
      PostgresParameters.uuid(namedParameterStatement, "batch", batch);
      ResultSet row = namedParameterStatement.integer("shard", Shards.of(batch)).query();
      List<UUID> ids = new ArrayList<>();
      while (row.next()) {
        ids.add(row.getObject("id", UUID.class));
      }
      return ids;
    }
  }

  private void submit(Connection connection, Submission submission) throws SQLException {
    List<NewTaskRow> rows = submission.tasks();
    for (int from = 0; from < rows.size(); from += MAX_ROWS_PER_STATEMENT) {
      List<NewTaskRow> chunk =
          rows.subList(from, Math.min(rows.size(), from + MAX_ROWS_PER_STATEMENT));
      List<UUID> batches = Collections.nCopies(chunk.size(), submission.batch());
      if (insert(connection, List.of(submission), from, batches, chunk) == 0) {
        return; // It was submitted before.
      }
      importedHistory.insert(connection, chunk);
    }
  }

  /** Adds small ones of one shard that have neither key nor past, in one statement. */
  void submitAll(Connection connection, List<Submission> submissions) throws SQLException {
    List<UUID> batches = new ArrayList<>();
    List<NewTaskRow> rows = new ArrayList<>();
    // In the order of their ids, so that two who repeat the same ones do not wait for each other.
    List<Submission> sorted =
        submissions.stream().sorted(Comparator.comparing(Submission::batch)).toList();
    for (Submission submission : sorted) {
      batches.addAll(Collections.nCopies(submission.tasks().size(), submission.batch()));
      rows.addAll(submission.tasks());
    }
    insert(connection, sorted, 0, batches, rows);
  }

  /** True for what may be written together with others. */
  static boolean isSmall(Submission submission) {
    return submission.key() == null
        && submission.tasks().size() <= MAX_BATCHED_TASKS
        && submission.tasks().stream().allMatch(row -> row.importedHistory() == null);
  }

  private int insert(
      Connection connection,
      List<Submission> submissions,
      int from,
      List<UUID> batches,
      List<NewTaskRow> rows)
      throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "task_state.insert")) {
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      namedParameterStatement.integer("shard", Shards.of(submissions.getFirst().batch()));
      PostgresParameters.array(
          namedParameterStatement, "batches", "uuid", submissions, Submission::batch);
      PostgresParameters.array(
          namedParameterStatement,
          "sizes",
          "int4",
          submissions,
          submission -> submission.tasks().size());
      namedParameterStatement.integer("first_row", from);
      PostgresParameters.array(
          namedParameterStatement, "task_batches", "uuid", batches, batch -> batch);
      bind(namedParameterStatement, rows);
      bindImportedHistory(namedParameterStatement, rows);
      return namedParameterStatement.update();
    }
  }

  private static void bind(NamedParameterStatement namedParameterStatement, List<NewTaskRow> rows)
      throws SQLException {
    PostgresParameters.array(namedParameterStatement, "ids", "uuid", rows, NewTaskRow::id);
    texts(namedParameterStatement, "kinds", rows, row -> row.definition().kind());
    texts(namedParameterStatement, "names", rows, row -> row.definition().name());
    texts(namedParameterStatement, "payloads", rows, row -> row.definition().payload());
    texts(namedParameterStatement, "metadata", rows, row -> row.definition().metadata());
    texts(
        namedParameterStatement,
        "metadata_indexes",
        rows,
        row -> MetadataIndex.indexText(row.definition().metadata()));
    texts(namedParameterStatement, "policies", rows, row -> row.definition().policy());
    texts(namedParameterStatement, "strategies", rows, row -> row.definition().strategy());
    PostgresParameters.array(
        namedParameterStatement,
        "timeouts_ms",
        "int8",
        rows,
        row -> SqlTimes.toMillisOrNull(row.definition().timeout()));
    PostgresParameters.array(
        namedParameterStatement,
        "deadlines_at",
        "timestamptz",
        rows,
        row -> PostgresParameters.instantText(row.definition().deadline()));
    PostgresParameters.array(
        namedParameterStatement, "priorities", "int4", rows, row -> row.definition().priority());
    texts(
        namedParameterStatement,
        "idempotency_keys",
        rows,
        row -> row.definition().idempotencyKey());
    texts(namedParameterStatement, "local_ids", rows, row -> row.definition().localId());
    texts(namedParameterStatement, "queues", rows, row -> row.definition().queue());
    texts(namedParameterStatement, "actions", rows, row -> row.definition().actions());
    texts(namedParameterStatement, "traces", rows, row -> row.definition().traceText());
    PostgresParameters.array(
        namedParameterStatement, "expected_counts", "int8", rows, NewTaskRow::expectedCount);
    PostgresParameters.array(
        namedParameterStatement, "dues_in_ms", "int8", rows, row -> dueIn(row.due()));
    PostgresParameters.array(
        namedParameterStatement,
        "dues_at",
        "timestamptz",
        rows,
        row -> PostgresParameters.dueAt(row.due()));
  }

  /** All null but the first three for a task that nobody has tried yet. */
  private static void bindImportedHistory(
      NamedParameterStatement namedParameterStatement, List<NewTaskRow> rows) throws SQLException {
    texts(namedParameterStatement, "states", rows, row -> row.state().text());
    PostgresParameters.array(namedParameterStatement, "epochs", "int8", rows, NewTaskRow::epoch);
    PostgresParameters.array(
        namedParameterStatement, "attempts", "int8", rows, row -> row.retryCounters().attempt());
    PostgresParameters.array(
        namedParameterStatement,
        "prev_delays_ms",
        "int8",
        rows,
        row -> SqlTimes.toMillisOrNull(row.retryCounters().previousDelay()));
    texts(
        namedParameterStatement,
        "failure_kinds",
        rows,
        row ->
            row.importedHistory() == null
                ? null
                : row.importedHistory().last().details().failureKind());
    PostgresParameters.array(
        namedParameterStatement,
        "ages_ms",
        "int8",
        rows,
        row ->
            row.importedHistory() == null ? null : SqlTimes.toMillis(row.importedHistory().age()));
    PostgresParameters.array(
        namedParameterStatement,
        "started_ago_ms",
        "int8",
        rows,
        row ->
            row.importedHistory() == null
                ? null
                : SqlTimes.toMillis(row.importedHistory().last().startedAgo()));
  }

  private static long dueIn(Due due) {
    return due instanceof Due.In in ? SqlTimes.toMillis(in.delay()) : 0;
  }

  private static void texts(
      NamedParameterStatement namedParameterStatement,
      String parameter,
      List<NewTaskRow> rows,
      Function<NewTaskRow, @Nullable String> value)
      throws SQLException {
    PostgresParameters.array(
        namedParameterStatement,
        parameter,
        "text",
        rows,
        row -> PostgresParameters.withoutNul(value.apply(row)));
  }
}
