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

/** Inserts records of attempts that were made before the task was submitted. */
final class ImportedHistoryWriter {

  private final PostgresExecutor executor;

  ImportedHistoryWriter(PostgresExecutor executor) {
    this.executor = executor;
  }

  private record ImportedAttemptRow(UUID task, String worker, ImportedHistory.PriorAttempt prior) {}

  /**
   * Inserts the attempts of these tasks, which must be in one shard. Runs no statement if there are
   * none.
   */
  void insert(Connection connection, List<NewTaskRow> rows) throws SQLException {
    List<ImportedAttemptRow> all = rows.stream().flatMap(ImportedHistoryWriter::attempts).toList();
    for (int from = 0; from < all.size(); from += PostgresSubmissionWriter.MAX_ROWS_PER_STATEMENT) {
      List<ImportedAttemptRow> attempts =
          all.subList(
              from, Math.min(all.size(), from + PostgresSubmissionWriter.MAX_ROWS_PER_STATEMENT));
      try (NamedParameterStatement statement =
          executor.statement(connection, "attempt.insert_imported")) {
        PostgresParameters.instant(statement, "now", executor.settings().now());
        statement.integer("shard", Shards.of(attempts.getFirst().task()));
        bindNumbers(statement, attempts);
        bindDetails(statement, attempts);
        statement.update();
      }
    }
  }

  private static Stream<ImportedAttemptRow> attempts(NewTaskRow row) {
    ImportedHistory importedHistory = row.importedHistory();
    return importedHistory == null
        ? Stream.empty()
        : importedHistory.attempts().stream()
            .map(prior -> new ImportedAttemptRow(row.id(), importedHistory.worker(), prior));
  }

  private static void bindNumbers(
      NamedParameterStatement statement, List<ImportedAttemptRow> attempts) throws SQLException {
    PostgresParameters.array(statement, "tasks", "uuid", attempts, ImportedAttemptRow::task);
    numbers(statement, "epochs", attempts, ImportedHistory.PriorAttempt::epoch);
    numbers(statement, "numbers", attempts, ImportedHistory.PriorAttempt::number);
    numbers(statement, "started_ago_ms", attempts, prior -> SqlTimes.toMillis(prior.startedAgo()));
    numbers(statement, "ended_ago_ms", attempts, prior -> SqlTimes.toMillis(prior.endedAgo()));
    numbers(statement, "delays_ms", attempts, prior -> SqlTimes.toMillis(prior.delay()));
  }

  private static void bindDetails(
      NamedParameterStatement statement, List<ImportedAttemptRow> attempts) throws SQLException {
    PostgresParameters.array(statement, "workers", "text", attempts, ImportedAttemptRow::worker);
    texts(statement, "outcomes", attempts, prior -> prior.details().outcome().text());
    texts(statement, "failure_kinds", attempts, prior -> prior.details().failureKind());
    PostgresParameters.array(
        statement, "statuses", "int4", attempts, attempt -> attempt.prior().details().status());
    texts(statement, "codes", attempts, prior -> prior.details().code());
    texts(statement, "messages", attempts, prior -> prior.details().message());
    texts(
        statement,
        "exception_types",
        attempts,
        prior -> TaskRowMapper.types(prior.details().exceptionTypes()));
    texts(statement, "stacks", attempts, prior -> prior.details().stack());
  }

  private static void numbers(
      NamedParameterStatement statement,
      String parameter,
      List<ImportedAttemptRow> attempts,
      Function<ImportedHistory.PriorAttempt, Long> value)
      throws SQLException {
    PostgresParameters.array(
        statement, parameter, "int8", attempts, attempt -> value.apply(attempt.prior()));
  }

  private static void texts(
      NamedParameterStatement statement,
      String parameter,
      List<ImportedAttemptRow> attempts,
      Function<ImportedHistory.PriorAttempt, @Nullable String> value)
      throws SQLException {
    PostgresParameters.array(
        statement,
        parameter,
        "text",
        attempts,
        attempt -> PostgresParameters.withoutNul(value.apply(attempt.prior())));
  }
}
