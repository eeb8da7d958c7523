// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.Deduplication;
import dev.perdure.engine.spi.InitialDependencies;
import dev.perdure.engine.spi.StoredParents;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.SubmissionReceipt.SubmissionStatus;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Inserts tasks on a given connection. */
final class PostgresSubmissionWriter {

  /**
   * Maximum rows per statement. A larger submission takes several statements in one transaction.
   */
  static final int MAX_ROWS_PER_STATEMENT = 2_000;

  private static final int MAX_BATCHED_TASKS = 100;

  private final PostgresExecutor executor;
  private final ImportedHistoryWriter importedHistory;
  private final DependencyWriter dependencies;
  private final KeyHolders keyHolders;

  PostgresSubmissionWriter(PostgresExecutor executor) {
    this.executor = executor;
    this.importedHistory = new ImportedHistoryWriter(executor);
    this.dependencies = new DependencyWriter(executor);
    this.keyHolders = new KeyHolders(executor);
  }

  /** Inserts all tasks or none, even on a connection in auto-commit mode. */
  SubmissionReceipt submitAtomically(Connection connection, Submission submission)
      throws SQLException {
    if (submission.tasks().size() <= MAX_ROWS_PER_STATEMENT && isPlain(submission)) {
      submit(connection, submission, InitialDependencies.NONE);
      return submission.stored();
    }
    if (!submission.hasDedupeKeys()) {
      return PostgresExecutor.inTransaction(
          connection, (same, mayHaveCommitted) -> submitInTransaction(same, submission));
    }
    return connection.getAutoCommit()
        ? PostgresExecutor.inTransaction(
            connection, (same, mayHaveCommitted) -> deduplicate(same, submission))
        : deduplicateInCallersTransaction(connection, submission);
  }

  private SubmissionReceipt submitInTransaction(Connection connection, Submission submission)
      throws SQLException {
    return submitInTransaction(
        connection, submission, new Deduplication(submission, Map.of()), submission.key());
  }

  /**
   * A concurrent submission can take a key after this one has looked for it. The database then
   * rejects the insert, which must not end the caller's transaction. Except for READ COMMITTED, a
   * repetition would not see the other task either.
   */
  private SubmissionReceipt deduplicateInCallersTransaction(
      Connection connection, Submission submission) throws SQLException {
    for (int i = 0; i < KeyHolders.MAX_TRIES; i++) {
      Savepoint savepoint = connection.setSavepoint();
      try {
        SubmissionReceipt receipt = deduplicate(connection, submission);
        connection.releaseSavepoint(savepoint);
        return receipt;
      } catch (SQLException failure) {
        if (!SqlErrorClass.isDedupeKeyTaken(failure)
            && !(failure instanceof KeyHolders.LockOrderException)) {
          throw failure;
        }
        connection.rollback(savepoint);
        if (connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED) {
          throw KeyHolders.oldSnapshot();
        }
      }
    }
    throw KeyHolders.keepsChanging();
  }

  private SubmissionReceipt deduplicate(Connection connection, Submission submission)
      throws SQLException {
    if (isStored(connection, submission.batch())) {
      return storedBefore(connection, submission);
    }
    Deduplication deduplication = keyHolders.lock(connection, submission);
    SubmissionReceipt receipt =
        submitInTransaction(connection, submission, deduplication, submission.receiptKey());
    if (receipt.status() == SubmissionStatus.STORED) {
      keyHolders.replace(connection, deduplication.replacements());
    }
    return receipt;
  }

  private boolean isStored(Connection connection, UUID batch) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "dedupe.is_stored")) {
      PostgresParameters.uuid(statement.integer("shard", Shards.of(batch)), "id", batch);
      ResultSet row = statement.query();
      return row.next() && row.getBoolean("stored");
    }
  }

  private SubmissionReceipt storedBefore(Connection connection, Submission submission)
      throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "submission_key.find")) {
      ResultSet row =
          statement
              .integer("shard", Shards.of(submission.batch()))
              .text("id", submission.receiptKey().id())
              .query();
      return submission.storedBefore(row.next() ? row.getString("deduplicated") : null);
    }
  }

  /**
   * @param deduplication what is left of the submission
   * @param key the key of the submission, or the one to keep its receipt under
   */
  private SubmissionReceipt submitInTransaction(
      Connection connection,
      Submission submission,
      Deduplication deduplication,
      Submission.@Nullable SubmissionKeyDigest key)
      throws SQLException {
    Submission remaining = deduplication.remaining();
    List<UUID> parents = remaining == null ? List.of() : remaining.storedParents();
    StoredParents found = dependencies.observe(connection, Shards.of(submission.batch()), parents);
    if (!parents.stream().allMatch(found::contains)) {
      SubmissionReceipt existing =
          submission.key() == null
              ? null
              : existingReceipt(connection, submission.key(), submission);
      return existing == null
          ? submission.unknownParents(
              parents.stream().filter(parent -> !found.contains(parent)).toList())
          : existing;
    }
    SubmissionReceipt receipt = deduplication.receipt();
    String text = deduplication.text();
    boolean needsKey = submission.key() != null || (text != null && remaining != null);
    if (needsKey && key != null && !takeKey(connection, key, receipt.batch(), text)) {
      return Objects.requireNonNull(existingReceipt(connection, key, submission));
    }
    boolean inserted =
        remaining == null
            || submit(connection, remaining, new InitialDependencies(remaining, found));
    return inserted ? receipt : storedBefore(connection, submission);
  }

  private boolean takeKey(
      Connection connection,
      Submission.SubmissionKeyDigest key,
      UUID batch,
      @Nullable String deduplicated)
      throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "submission_key.take")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      PostgresParameters.uuid(statement, "batch", batch);
      return statement
              .integer("shard", Shards.of(batch))
              .text("id", key.id())
              .text("content_digest", key.content())
              .text("deduplicated", deduplicated)
              .number("retention_ms", SqlTimes.toMillis(Submission.KEY_RETENTION))
              .update()
          == 1;
    }
  }

  /** Looks in all shards: a key is in the shard of its batch, which the key alone does not tell. */
  boolean isTaken(Connection connection, Submission.SubmissionKeyDigest key) throws SQLException {
    for (int shard = 0; shard < executor.settings().shards(); shard++) {
      if (isTaken(connection, shard, key)) {
        return true;
      }
    }
    return false;
  }

  private boolean isTaken(Connection connection, int shard, Submission.SubmissionKeyDigest key)
      throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "submission_key.is_taken")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      ResultSet row =
          statement
              .integer("shard", shard)
              .text("id", key.id())
              .number("retention_ms", SqlTimes.toMillis(Submission.KEY_RETENTION))
              .query();
      return row.next() && row.getBoolean("found");
    }
  }

  /** Returns the receipt of the batch that has the key, or null if the key is free. */
  private @Nullable SubmissionReceipt existingReceipt(
      Connection connection, Submission.SubmissionKeyDigest key, Submission submission)
      throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "submission_key.find")) {
      ResultSet row =
          statement.integer("shard", Shards.of(submission.batch())).text("id", key.id()).query();
      return row.next()
          ? submission.keyInUse(
              row.getObject("batch", UUID.class),
              row.getString("content_digest"),
              row.getString("deduplicated"),
              batch -> ids(connection, batch))
          : null;
    }
  }

  private List<UUID> ids(Connection connection, UUID batch) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "task.ids_of_batch")) {
      PostgresParameters.uuid(statement, "batch", batch);
      ResultSet row = statement.integer("shard", Shards.of(batch)).query();
      List<UUID> ids = new ArrayList<>();
      while (row.next()) {
        ids.add(row.getObject("id", UUID.class));
      }
      return ids;
    }
  }

  /** Returns false if the batch was already submitted. */
  private boolean submit(Connection connection, Submission submission, InitialDependencies initial)
      throws SQLException {
    List<NewTaskRow> rows = inOrderOfInsertion(submission);
    for (int from = 0; from < rows.size(); from += MAX_ROWS_PER_STATEMENT) {
      List<NewTaskRow> chunk =
          rows.subList(from, Math.min(rows.size(), from + MAX_ROWS_PER_STATEMENT));
      List<UUID> batches = Collections.nCopies(chunk.size(), submission.batch());
      if (insert(connection, List.of(submission), from, batches, chunk, initial) == 0) {
        return false;
      }
      importedHistory.insert(connection, chunk);
    }
    dependencies.insert(connection, Shards.of(submission.batch()), initial);
    if (submission.definition().hasRuns()) {
      insertRun(connection, submission.batch(), submission.tasks().size());
    }
    return true;
  }

  /** By dedupe key, so that two submissions with the same keys do not deadlock. */
  private static List<NewTaskRow> inOrderOfInsertion(Submission submission) {
    return submission.hasDedupeKeys()
        ? submission.tasks().stream()
            .sorted(
                Comparator.comparing(
                    row -> row.definition().dedupeKey(),
                    Comparator.nullsLast(Comparator.naturalOrder())))
            .toList()
        : submission.tasks();
  }

  private void insertRun(Connection connection, UUID batch, int tasks) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "run.insert")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      PostgresParameters.uuid(statement, "batch", batch);
      statement
          .integer("shard", Shards.of(batch))
          .integer("run", 0)
          .integer("open", tasks)
          .update();
    }
  }

  /**
   * Inserts small submissions of one shard in one statement. They have neither keys nor imported
   * history nor dependencies.
   */
  void submitAll(Connection connection, List<Submission> submissions) throws SQLException {
    List<UUID> batches = new ArrayList<>();
    List<NewTaskRow> rows = new ArrayList<>();
    // In the order of their ids, so that two callers that repeat the same submissions do not
    // deadlock.
    List<Submission> sorted =
        submissions.stream().sorted(Comparator.comparing(Submission::batch)).toList();
    for (Submission submission : sorted) {
      batches.addAll(Collections.nCopies(submission.tasks().size(), submission.batch()));
      rows.addAll(submission.tasks());
    }
    insert(connection, sorted, 0, batches, rows, InitialDependencies.NONE);
  }

  /** Returns whether the submission can be written together with others. */
  static boolean isSmall(Submission submission) {
    return submission.tasks().size() <= MAX_BATCHED_TASKS && isPlain(submission);
  }

  /** Returns whether rows of tasks and their batch are all that is stored. */
  private static boolean isPlain(Submission submission) {
    return submission.key() == null
        && submission.dependencies().isEmpty()
        && !submission.definition().hasRuns()
        && submission.tasks().stream()
            .allMatch(
                row ->
                    row.importedHistory() == null
                        && !row.cancelAtDeadEnd()
                        && row.definition().dedupeKey() == null);
  }

  private int insert(
      Connection connection,
      List<Submission> submissions,
      int from,
      List<UUID> batches,
      List<NewTaskRow> rows,
      InitialDependencies initial)
      throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "task_state.insert")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      statement.integer("shard", Shards.of(submissions.getFirst().batch()));
      PostgresParameters.array(statement, "batches", "uuid", submissions, Submission::batch);
      PostgresParameters.array(
          statement, "sizes", "int4", submissions, submission -> submission.tasks().size());
      TaskInsertParameters.batches(statement, submissions);
      statement.integer("first_row", from);
      PostgresParameters.array(statement, "task_batches", "uuid", batches, batch -> batch);
      TaskInsertParameters.tasks(statement, rows);
      TaskInsertParameters.importedHistory(statement, rows);
      TaskInsertParameters.dependencies(statement, rows, initial);
      TaskInsertParameters.limits(statement, batches, rows);
      return statement.update();
    }
  }
}
