// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.ImportedHistory;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
import dev.perdure.store.jdbc.sql.TaskRowMapper;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Records the attempts that were made before a task was submitted. */
final class ImportedHistoryWriter {

  private final PostgresExecutor executor;

  ImportedHistoryWriter(PostgresExecutor postgresExecutor) {
    this.executor = postgresExecutor;
  }

  private record ImportedAttemptRow(
      UUID task, String worker, ImportedHistory.PriorAttempt failed) {}

  /** Writes the records of these tasks of one shard; no statement when there are none. */
  void insert(Connection connection, List<NewTaskRow> rows) throws SQLException {
    List<ImportedAttemptRow> all = rows.stream().flatMap(ImportedHistoryWriter::entries).toList();
    for (int from = 0; from < all.size(); from += PostgresSubmissionWriter.MAX_ROWS_PER_STATEMENT) {
      List<ImportedAttemptRow> importedAttemptRows =
          all.subList(
              from, Math.min(all.size(), from + PostgresSubmissionWriter.MAX_ROWS_PER_STATEMENT));
      try (NamedParameterStatement namedParameterStatement =
          executor.statement(connection, "attempt.insert_imported")) {
        PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
        namedParameterStatement.integer("shard", Shards.of(importedAttemptRows.getFirst().task()));
        bindNumbers(namedParameterStatement, importedAttemptRows);
        bindNotes(namedParameterStatement, importedAttemptRows);
        namedParameterStatement.update();
      }
    }
  }

  private static Stream<ImportedAttemptRow> entries(NewTaskRow row) {
    ImportedHistory importedHistory = row.importedHistory();
    return importedHistory == null
        ? Stream.empty()
        : importedHistory.attempts().stream()
            .map(each -> new ImportedAttemptRow(row.id(), importedHistory.worker(), each));
  }

  private static void bindNumbers(
      NamedParameterStatement namedParameterStatement, List<ImportedAttemptRow> importedAttemptRows)
      throws SQLException {
    PostgresParameters.array(
        namedParameterStatement, "tasks", "uuid", importedAttemptRows, ImportedAttemptRow::task);
    numbers(
        namedParameterStatement,
        "epochs",
        importedAttemptRows,
        ImportedHistory.PriorAttempt::epoch);
    numbers(
        namedParameterStatement,
        "numbers",
        importedAttemptRows,
        ImportedHistory.PriorAttempt::number);
    numbers(
        namedParameterStatement,
        "started_ago_ms",
        importedAttemptRows,
        priorAttempt -> SqlTimes.toMillis(priorAttempt.startedAgo()));
    numbers(
        namedParameterStatement,
        "ended_ago_ms",
        importedAttemptRows,
        priorAttempt -> SqlTimes.toMillis(priorAttempt.endedAgo()));
    numbers(
        namedParameterStatement,
        "delays_ms",
        importedAttemptRows,
        priorAttempt -> SqlTimes.toMillis(priorAttempt.delay()));
  }

  private static void bindNotes(
      NamedParameterStatement namedParameterStatement, List<ImportedAttemptRow> importedAttemptRows)
      throws SQLException {
    PostgresParameters.array(
        namedParameterStatement,
        "workers",
        "text",
        importedAttemptRows,
        ImportedAttemptRow::worker);
    texts(
        namedParameterStatement,
        "outcomes",
        importedAttemptRows,
        priorAttempt -> priorAttempt.details().outcome().text());
    texts(
        namedParameterStatement,
        "failure_kinds",
        importedAttemptRows,
        priorAttempt -> priorAttempt.details().failureKind());
    PostgresParameters.array(
        namedParameterStatement,
        "statuses",
        "int4",
        importedAttemptRows,
        importedAttemptRow -> importedAttemptRow.failed().details().status());
    texts(
        namedParameterStatement,
        "codes",
        importedAttemptRows,
        priorAttempt -> priorAttempt.details().code());
    texts(
        namedParameterStatement,
        "messages",
        importedAttemptRows,
        priorAttempt -> priorAttempt.details().message());
    texts(
        namedParameterStatement,
        "exception_types",
        importedAttemptRows,
        priorAttempt -> TaskRowMapper.types(priorAttempt.details().exceptionTypes()));
    texts(
        namedParameterStatement,
        "stacks",
        importedAttemptRows,
        priorAttempt -> priorAttempt.details().stack());
  }

  private static void numbers(
      NamedParameterStatement namedParameterStatement,
      String parameter,
      List<ImportedAttemptRow> importedAttemptRows,
      Function<ImportedHistory.PriorAttempt, Long> value)
      throws SQLException {
    PostgresParameters.array(
        namedParameterStatement,
        parameter,
        "int8",
        importedAttemptRows,
        importedAttemptRow -> value.apply(importedAttemptRow.failed()));
  }

  private static void texts(
      NamedParameterStatement namedParameterStatement,
      String parameter,
      List<ImportedAttemptRow> importedAttemptRows,
      Function<ImportedHistory.PriorAttempt, @Nullable String> value)
      throws SQLException {
    PostgresParameters.array(
        namedParameterStatement,
        parameter,
        "text",
        importedAttemptRows,
        importedAttemptRow ->
            PostgresParameters.withoutNul(value.apply(importedAttemptRow.failed())));
  }
}
