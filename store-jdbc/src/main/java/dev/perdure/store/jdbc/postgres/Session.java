// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.store.StoreException;
import dev.perdure.policy.Decision;
import dev.perdure.policy.Facts;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.store.jdbc.sql.Call;
import dev.perdure.store.jdbc.sql.NamedSql;
import dev.perdure.store.jdbc.sql.Pause;
import dev.perdure.store.jdbc.sql.Settings;
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
final class Session {

  private static final NamedSql STATEMENTS = NamedSql.load("postgres");

  private final DataSource dataSource;
  private final Settings settings;
  private final RetryPolicy policy;

  Session(DataSource dataSource, Settings settings) {
    this.dataSource = dataSource;
    this.settings = settings;
    this.policy = policy(settings.patience());
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

  Settings settings() {
    return settings;
  }

  /** The named statement, prepared, with its time limit. */
  Call call(Connection connection, String name) throws SQLException {
    return STATEMENTS.get(name).on(connection).limited(settings.statementTimeout());
  }

  /** What time it is, for readings that tell it. */
  Instant now(Connection connection) throws SQLException {
    try (Call call = call(connection, "node.clock")) {
      Params.instant(call, "now", settings.now());
      ResultSet row = call.query();
      row.next();
      return Objects.requireNonNull(new PostgresColumns().instant(row, "now"));
    }
  }

  /** Does what may be done twice. */
  <T> T repeatedly(String what, Work<T> work) {
    return run(what, work, true);
  }

  /** Does what must not be done again when its answer was lost. */
  <T> T once(String what, Work<T> work) {
    return run(what, work, false);
  }

  private <T> T run(String what, Work<T> work, boolean repeatable) {
    long begin = System.nanoTime();
    boolean unsure = false;
    for (long attempt = 0; ; attempt++) {
      boolean sent = false;
      try (Connection connection = dataSource.getConnection()) {
        sent = true;
        return committed(connection, work, unsure);
      } catch (SQLException failure) {
        Trouble trouble = Trouble.of(failure);
        unsure |= sent && trouble == Trouble.BROKEN;
        Facts facts = Facts.attempt(attempt).withAge(Duration.ofNanos(System.nanoTime() - begin));
        if (trouble.isLasting() || (unsure && !repeatable) || !waited(facts, failure)) {
          throw new StoreException(
              what + " failed: " + failure.getMessage(), failure, trouble.sort(unsure));
        }
      }
    }
  }

  /** Does the work; a connection that does not commit by itself is told to. */
  private static <T> T committed(Connection connection, Work<T> work, boolean unsure)
      throws SQLException {
    if (connection.getAutoCommit()) {
      return work.on(connection, unsure);
    }
    try {
      T result = work.on(connection, unsure);
      connection.commit();
      return result;
    } catch (SQLException | RuntimeException failure) {
      rollBack(connection, failure);
      throw failure;
    }
  }

  /** Does several statements as one transaction, inside one operation. */
  static <T> T together(Connection connection, Work<T> work) throws SQLException {
    boolean alone = connection.getAutoCommit();
    if (!alone) {
      return work.on(connection, false);
    }
    connection.setAutoCommit(false);
    try {
      T result = committed(connection, work, false);
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

  private boolean waited(Facts facts, SQLException failure) {
    Failure seen = Failure.exception(failure);
    Decision decision = policy.decide(facts, seen, ThreadLocalRandom.current());
    if (decision instanceof Decision.Retry retry && !Thread.currentThread().isInterrupted()) {
      Pause.of(retry.delay());
      return true;
    }
    return false;
  }
}
