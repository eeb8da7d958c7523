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
 * Runs operations on connections of the pool, and again after failures that pass: collisions with
 * others, and connections that broke. Safe to share.
 *
 * <p>A statement alone is its own transaction, so when its connection breaks nobody knows whether
 * it was done. What may be done twice is simply repeated and told so; what may not is given up with
 * {@link StoreException#unknown()}.
 */
final class PostgresExecutor {

  private static final SqlStatements STATEMENTS = SqlStatements.load("postgres");

  private final DataSource dataSource;
  private final StoreSettings storeSettings;
  private final RetryPolicy policy;

  PostgresExecutor(DataSource dataSource, StoreSettings storeSettings) {
    this.dataSource = dataSource;
    this.storeSettings = storeSettings;
    this.policy = policy(storeSettings.retryTimeout());
  }

  private static RetryPolicy policy(Duration patience) {
    var policy =
        RetryPolicy.exponential(Duration.ofMillis(10))
            .maxDelay(Duration.ofMillis(500))
            .jitter(Jitter.full())
            .retryOn(FailureMatcher.any());
    return patience.isZero()
        ? policy.maxRetries(0).build()
        : policy.unlimitedRetries().expiresAfter(patience).build();
  }

  StoreSettings settings() {
    return storeSettings;
  }

  /** The named statement, prepared, with its time limit. */
  NamedParameterStatement statement(Connection connection, String name) throws SQLException {
    return STATEMENTS.get(name).prepare(connection).timeout(storeSettings.statementTimeout());
  }

  /** What time it is, for readings that tell it. */
  Instant now(Connection connection) throws SQLException {
    try (NamedParameterStatement namedParameterStatement = statement(connection, "node.clock")) {
      PostgresParameters.instant(namedParameterStatement, "now", storeSettings.now());
      ResultSet row = namedParameterStatement.query();
      row.next();
      return Objects.requireNonNull(new PostgresColumnReader().instant(row, "now"));
    }
  }

  /** Does what may be done twice. */
  <T> T runIdempotent(String what, PostgresOperation<T> postgresOperation) {
    return run(what, postgresOperation, true);
  }

  /** Does what must not be done again when its answer was lost. */
  <T> T runOnce(String what, PostgresOperation<T> postgresOperation) {
    return run(what, postgresOperation, false);
  }

  private <T> T run(String what, PostgresOperation<T> postgresOperation, boolean repeatable) {
    long begin = System.nanoTime();
    boolean unsure = false;
    for (long attempt = 0; ; attempt++) {
      boolean sent = false;
      try (Connection connection = dataSource.getConnection()) {
        sent = true;
        return committed(connection, postgresOperation, unsure);
      } catch (SQLException failure) {
        SqlErrorClass sqlErrorClass = SqlErrorClass.of(failure);
        unsure |= sent && sqlErrorClass == SqlErrorClass.CONNECTION_LOST;
        DecisionContext decisionContext =
            DecisionContext.attempt(attempt).withAge(Duration.ofNanos(System.nanoTime() - begin));
        if (sqlErrorClass.isPersistent()
            || (unsure && !repeatable)
            || !waitBeforeRetry(decisionContext, failure)) {
          throw new StoreException(
              what + " failed: " + failure.getMessage(), failure, sqlErrorClass.errorKind(unsure));
        }
      }
    }
  }

  /** Does the work; a connection that does not commit by itself is told to. */
  private static <T> T committed(
      Connection connection, PostgresOperation<T> postgresOperation, boolean unsure)
      throws SQLException {
    if (connection.getAutoCommit()) {
      return postgresOperation.run(connection, unsure);
    }
    try {
      T result = postgresOperation.run(connection, unsure);
      connection.commit();
      return result;
    } catch (SQLException | RuntimeException failure) {
      rollBack(connection, failure);
      throw failure;
    }
  }

  /** Does several statements as one transaction, inside one operation. */
  static <T> T inTransaction(Connection connection, PostgresOperation<T> postgresOperation)
      throws SQLException {
    boolean alone = connection.getAutoCommit();
    if (!alone) {
      return postgresOperation.run(connection, false);
    }
    connection.setAutoCommit(false);
    try {
      T result = committed(connection, postgresOperation, false);
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

  private boolean waitBeforeRetry(DecisionContext decisionContext, SQLException failure) {
    Failure seen = Failure.exception(failure);
    Decision decision = policy.decide(decisionContext, seen, ThreadLocalRandom.current());
    if (decision instanceof Decision.Retry retry && !Thread.currentThread().isInterrupted()) {
      InterruptibleSleep.sleep(retry.delay());
      return true;
    }
    return false;
  }
}
