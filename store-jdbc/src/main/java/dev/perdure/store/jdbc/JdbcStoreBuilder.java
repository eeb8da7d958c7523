// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc;

import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.StoreException.ErrorKind;
import dev.perdure.store.jdbc.postgres.PostgresStore;
import dev.perdure.store.jdbc.sql.StoreSettings;
import dev.perdure.store.jdbc.sqlite.SqliteStore;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Builder for a {@link JdbcStore}. You must set either a URL or a data source. */
public final class JdbcStoreBuilder {

  private static final int MAX_CONNECTIONS = 1_000;

  private @Nullable String url;
  private @Nullable DataSource dataSource;
  private @Nullable DataSource notificationDataSource;
  private int shards = 1;
  private @Nullable InstantSource clock;
  private int poolSize = 10;
  private Duration statementTimeout = Duration.ofSeconds(30);
  private Duration retryTimeout = Duration.ofSeconds(5);

  JdbcStoreBuilder() {}

  /** See {@link JdbcStore#open(String)}. */
  public JdbcStoreBuilder url(String value) {
    url = value;
    return this;
  }

  /** See {@link JdbcStore#open(DataSource)}. */
  public JdbcStoreBuilder dataSource(DataSource value) {
    dataSource = value;
    return this;
  }

  /**
   * The data source of the one connection that receives PostgreSQL's notifications, for {@link
   * #dataSource}. The store keeps this connection open, so it should not come from a pool. You need
   * it only if your data source is neither a HikariCP pool nor a {@code PGSimpleDataSource}: the
   * store opens its own connection beside those, and finds tasks by polling with any other. {@link
   * #open} throws an IllegalArgumentException if it is set for a URL or for SQLite.
   */
  public JdbcStoreBuilder notificationDataSource(DataSource value) {
    notificationDataSource = value;
    return this;
  }

  /**
   * Number of shards, by default 1. Use more only on a distributed PostgreSQL, and never reduce the
   * number later.
   */
  public JdbcStoreBuilder shards(int value) {
    if (value < 1 || value > Shards.MAX_SHARDS) {
      throw new IllegalArgumentException(
          "shards must be 1 to " + Shards.MAX_SHARDS + ", not " + value);
    }
    shards = value;
    return this;
  }

  /** A clock that replaces the database's clock, for tests. */
  public JdbcStoreBuilder clock(InstantSource value) {
    clock = value;
    return this;
  }

  /**
   * Maximum number of connections for submitting and reading, by default 10. The engine's own work
   * has {@value PostgresStore#ENGINE_CONNECTIONS} more connections, so callers cannot starve it.
   * Ignored with a data source, which must provide enough connections for both.
   */
  public JdbcStoreBuilder poolSize(int value) {
    if (value < 1 || value > MAX_CONNECTIONS) {
      throw new IllegalArgumentException(
          "poolSize must be 1 to " + MAX_CONNECTIONS + ", not " + value);
    }
    poolSize = value;
    return this;
  }

  /** Maximum duration of one statement, by default 30 s. */
  public JdbcStoreBuilder statementTimeout(Duration value) {
    if (value.toSeconds() < 1) {
      throw new IllegalArgumentException("statementTimeout must be 1 s or more, not " + value);
    }
    statementTimeout = value;
    return this;
  }

  /** How long the store retries an operation after a transient database error, by default 5 s. */
  public JdbcStoreBuilder retryTimeout(Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException("retryTimeout must not be negative: " + value);
    }
    retryTimeout = value.truncatedTo(ChronoUnit.MILLIS);
    return this;
  }

  /** Migrates the tables and opens the store. */
  public JdbcStore open() {
    StoreSettings settings =
        new StoreSettings(shards, clock, poolSize, statementTimeout, retryTimeout);
    if (url != null && dataSource == null) {
      requireNoNotificationDataSource(
          "a store with a url opens its own connection for notifications");
      return open(StoreUrl.parse(url), settings);
    }
    if (url == null && dataSource != null) {
      return open(dataSource, settings);
    }
    throw new IllegalArgumentException("set either a url or a dataSource");
  }

  private void requireNoNotificationDataSource(String reason) {
    if (notificationDataSource != null) {
      throw new IllegalArgumentException("notificationDataSource: remove it; " + reason);
    }
  }

  private static JdbcStore open(StoreUrl url, StoreSettings settings) {
    return switch (url.dialect()) {
      case POSTGRES -> PostgresStore.open(url.jdbc(), url.user(), url.password(), settings);
      case SQLITE -> SqliteStore.open(url.jdbc(), settings);
    };
  }

  static int migrate(StoreUrl url) {
    return switch (url.dialect()) {
      case POSTGRES -> PostgresStore.migrate(url.jdbc(), url.user(), url.password());
      case SQLITE -> SqliteStore.migrate(url.jdbc());
    };
  }

  private JdbcStore open(DataSource application, StoreSettings settings) {
    try {
      return switch (Dialect.of(application)) {
        case POSTGRES -> PostgresStore.open(application, notificationDataSource, settings);
        case SQLITE -> {
          requireNoNotificationDataSource("SQLite has no notifications");
          yield SqliteStore.open(application, settings);
        }
      };
    } catch (SQLException e) {
      throw new StoreException(
          "cannot get a connection from the data source: " + e.getMessage(),
          e,
          ErrorKind.UNAVAILABLE);
    }
  }
}
