// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc;

import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.StoreException.Sort;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.postgres.PostgresStore;
import dev.perdure.store.jdbc.sql.Settings;
import dev.perdure.store.jdbc.sqlite.SqliteStore;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Says how a store is opened. Where it is must be said, by a URL or a data source. */
public final class JdbcStoreBuilder {

  private static final int MOST_CONNECTIONS = 1_000;

  private @Nullable String url;
  private @Nullable DataSource dataSource;
  private int shards = 1;
  private @Nullable InstantSource clock;
  private int poolSize = 10;
  private Duration statementTimeout = Duration.ofSeconds(30);
  private Duration patience = Duration.ofSeconds(5);

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
    if (value < 1 || value > Shards.MOST) {
      throw new IllegalArgumentException("shards must be 1 to " + Shards.MOST + ", not " + value);
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
    if (value < 1 || value > MOST_CONNECTIONS) {
      throw new IllegalArgumentException(
          "poolSize must be 1 to " + MOST_CONNECTIONS + ", not " + value);
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
  public JdbcStoreBuilder patience(Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException("patience must not be negative: " + value);
    }
    patience = value.truncatedTo(ChronoUnit.MILLIS);
    return this;
  }

  /** Brings the tables up to date and opens the store. */
  public JdbcStore open() {
    Settings settings = new Settings(shards, clock, poolSize, statementTimeout, patience);
    if (url != null && dataSource == null) {
      return open(StoreUrl.parse(url), settings);
    }
    if (url == null && dataSource != null) {
      return open(dataSource, settings);
    }
    throw new IllegalArgumentException("name a url or a data source, one of the two");
  }

  private static JdbcStore open(StoreUrl url, Settings settings) {
    return switch (url.dialect()) {
      case POSTGRES -> PostgresStore.open(url.jdbc(), url.user(), url.password(), settings);
      case SQLITE -> SqliteStore.open(url.jdbc(), settings);
    };
  }

  private static JdbcStore open(DataSource dataSource, Settings settings) {
    try {
      return switch (Dialect.of(dataSource)) {
        case POSTGRES -> PostgresStore.open(dataSource, settings);
        case SQLITE -> SqliteStore.open(dataSource, settings);
      };
    } catch (SQLException e) {
      throw new StoreException(
          "the data source gives no connection: " + e.getMessage(), e, Sort.UNAVAILABLE);
    }
  }
}
