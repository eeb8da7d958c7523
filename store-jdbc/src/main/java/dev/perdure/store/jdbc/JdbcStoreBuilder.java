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

/** Says how a store is opened. Where it is must be said, by a URL or a data source. */
public final class JdbcStoreBuilder {

  private static final int MAX_CONNECTIONS = 1_000;

  private @Nullable String url;
  private @Nullable DataSource dataSource;
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

  /** How many shards, 1 unless told; more only on a distributed PostgreSQL. Never fewer later. */
  public JdbcStoreBuilder shards(int value) {
    if (value < 1 || value > Shards.MAX_SHARDS) {
      throw new IllegalArgumentException(
          "shards must be 1 to " + Shards.MAX_SHARDS + ", not " + value);
    }
    shards = value;
    return this;
  }

  /** The clock of tests, in place of the database's. */
  public JdbcStoreBuilder clock(InstantSource value) {
    clock = value;
    return this;
  }

  /**
   * The most connections for submitting and reading, 10 unless told; the engine's own work has
   * {@value PostgresStore#ENGINE_CONNECTIONS} more, which no caller can take away from it. Not for
   * a data source, which must have enough for both.
   */
  public JdbcStoreBuilder poolSize(int value) {
    if (value < 1 || value > MAX_CONNECTIONS) {
      throw new IllegalArgumentException(
          "poolSize must be 1 to " + MAX_CONNECTIONS + ", not " + value);
    }
    poolSize = value;
    return this;
  }

  /** How long one statement may take, 30 s unless told. */
  public JdbcStoreBuilder statementTimeout(Duration value) {
    if (value.toSeconds() < 1) {
      throw new IllegalArgumentException("statementTimeout must be 1 s or more, not " + value);
    }
    statementTimeout = value;
    return this;
  }

  /** How long what failed for a passing reason is tried again, 5 s unless told. */
  public JdbcStoreBuilder retryTimeout(Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException("patience must not be negative: " + value);
    }
    retryTimeout = value.truncatedTo(ChronoUnit.MILLIS);
    return this;
  }

  /** Brings the tables up to date and opens the store. */
  public JdbcStore open() {
    StoreSettings storeSettings =
        new StoreSettings(shards, clock, poolSize, statementTimeout, retryTimeout);
    if (url != null && dataSource == null) {
      return open(StoreUrl.parse(url), storeSettings);
    }
    if (url == null && dataSource != null) {
      return open(dataSource, storeSettings);
    }
    throw new IllegalArgumentException("name a url or a data source, one of the two");
  }

  private static JdbcStore open(StoreUrl url, StoreSettings storeSettings) {
    return switch (url.dialect()) {
      case POSTGRES -> PostgresStore.open(url.jdbc(), url.user(), url.password(), storeSettings);
      case SQLITE -> SqliteStore.open(url.jdbc(), storeSettings);
    };
  }

  private static JdbcStore open(DataSource dataSource, StoreSettings storeSettings) {
    try {
      return switch (Dialect.of(dataSource)) {
        case POSTGRES -> PostgresStore.open(dataSource, storeSettings);
        case SQLITE -> SqliteStore.open(dataSource, storeSettings);
      };
    } catch (SQLException e) {
      throw new StoreException(
          "the data source gives no connection: " + e.getMessage(), e, ErrorKind.UNAVAILABLE);
    }
  }
}
