// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.task.StoreException;
import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.store.jdbc.sql.InterruptibleSleep;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlStatements;
import dev.perdure.store.jdbc.sql.StoreSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/**
 * Runs operations on pooled connections and retries them after transient errors: conflicts with
 * other transactions and lost connections. Thread-safe.
 *
 * <p>A single statement is its own transaction, so after a lost connection it is unknown whether
 * the statement was applied. An idempotent operation is simply repeated and told that an earlier
 * try may have been applied. Any other operation fails with {@link StoreException#unknown()}.
 */
final class PostgresExecutor {

  private static final SqlStatements STATEMENTS = SqlStatements.load("postgres");

  private final DataSource dataSource;
  private final StoreSettings settings;
  private final RetryPolicy policy;

  PostgresExecutor(DataSource dataSource, StoreSettings settings) {
    this.dataSource = dataSource;
    this.settings = settings;
    this.policy = policy(settings.retryTimeout());
  }

  DataSource dataSource() {
    return dataSource;
  }

  private static RetryPolicy policy(Duration retryTimeout) {
    var policy =
        RetryPolicy.exponential(Duration.ofMillis(10))
            .maxDelay(Duration.ofMillis(500))
            .jitter(Jitter.full())
            .retryOn(FailureMatcher.any());
    return retryTimeout.isZero()
        ? policy.maxRetries(0).build()
        : policy.unlimitedRetries().expiresAfter(retryTimeout).build();
  }

  StoreSettings settings() {
    return settings;
  }

  /** Prepares the named statement and sets its timeout. */
  NamedParameterStatement statement(Connection connection, String name) throws SQLException {
    return STATEMENTS.get(name).prepare(connection).timeout(settings.statementTimeout());
  }

  /** Returns the database's time, for reads that report it. */
  Instant now(Connection connection) throws SQLException {
    try (NamedParameterStatement statement = statement(connection, "node.clock")) {
      PostgresParameters.instant(statement, "now", settings.now());
      ResultSet row = statement.query();
      row.next();
      return Objects.requireNonNull(new PostgresColumnReader().instant(row, "now"));
    }
  }

  /** Runs an operation that can safely be repeated. */
  <T> T runIdempotent(String what, PostgresOperation<T> operation) {
    return run(what, operation, true);
  }

  /** Runs an operation that must not be repeated after its response was lost. */
  <T> T runOnce(String what, PostgresOperation<T> operation) {
    return run(what, operation, false);
  }

  private <T> T run(String what, PostgresOperation<T> operation, boolean repeatable) {
    long start = System.nanoTime();
    boolean mayHaveCommitted = false;
    for (long attempt = 0; ; attempt++) {
      boolean sent = false;
      try (Connection connection = dataSource.getConnection()) {
        sent = true;
        return runAndCommit(connection, operation, mayHaveCommitted);
      } catch (SQLException failure) {
        SqlErrorClass errorClass = SqlErrorClass.of(failure);
        mayHaveCommitted |= sent && errorClass == SqlErrorClass.CONNECTION_LOST;
        DecisionContext context =
            DecisionContext.attempt(attempt).withAge(Duration.ofNanos(System.nanoTime() - start));
        if (errorClass.isPersistent()
            || (mayHaveCommitted && !repeatable)
            || !waitBeforeRetry(context, failure)) {
          throw new StoreException(
              what + " failed: " + failure.getMessage(),
              failure,
              errorClass.errorKind(mayHaveCommitted));
        }
      }
    }
  }

  /** Runs the operation and commits if the connection is not in auto-commit mode. */
  private static <T> T runAndCommit(
      Connection connection, PostgresOperation<T> operation, boolean mayHaveCommitted)
      throws SQLException {
    if (connection.getAutoCommit()) {
      return operation.run(connection, mayHaveCommitted);
    }
    try {
      T result = operation.run(connection, mayHaveCommitted);
      connection.commit();
      return result;
    } catch (SQLException | RuntimeException failure) {
      rollBack(connection, failure);
      throw failure;
    }
  }

  /** Runs several statements of one operation in one transaction. */
  static <T> T inTransaction(Connection connection, PostgresOperation<T> operation)
      throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    if (!autoCommit) {
      return operation.run(connection, false);
    }
    connection.setAutoCommit(false);
    try {
      T result = runAndCommit(connection, operation, false);
      connection.setAutoCommit(true);
      return result;
    } catch (SQLException | RuntimeException failure) {
      restore(connection, failure);
      throw failure;
    }
  }

  private static void rollBack(Connection connection, Exception failure) {
    try {
      connection.rollback();
    } catch (SQLException alsoBroken) {
      failure.addSuppressed(alsoBroken);
    }
  }

  private static void restore(Connection connection, Exception failure) {
    try {
      connection.setAutoCommit(true);
    } catch (SQLException alsoBroken) {
      failure.addSuppressed(alsoBroken);
    }
  }

  private boolean waitBeforeRetry(DecisionContext context, SQLException failure) {
    Failure cause = Failure.exception(failure);
    Decision decision = policy.decide(context, cause, ThreadLocalRandom.current());
    if (decision instanceof Decision.Retry retry && !Thread.currentThread().isInterrupted()) {
      InterruptibleSleep.sleep(retry.delay());
      return true;
    }
    return false;
  }
}
