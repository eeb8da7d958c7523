// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.store.jdbc.JdbcStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** An embedded PostgreSQL server with the durability settings of a normal installation. */
public final class PostgresServer implements AutoCloseable {

  private static final String EMPTY = "perdure_empty";

  /** The common start of most statements. Reports cut it, so that they can be told apart. */
  private static final Pattern CLOCK =
      Pattern.compile("^WITH clock AS MATERIALIZED \\(.*? AS now \\), ");

  private static final List<String> SETTINGS =
      List.of(
          "server_version",
          "fsync",
          "synchronous_commit",
          "full_page_writes",
          "shared_buffers",
          "max_wal_size",
          "wal_level");

  private final EmbeddedPostgres server;
  private int databases;

  private PostgresServer(EmbeddedPostgres server) {
    this.server = server;
  }

  public static PostgresServer start() throws SQLException {
    try {
      // The embedded server is meant for tests and turns durability off by default.
      PostgresServer started =
          new PostgresServer(
              EmbeddedPostgres.builder()
                  .setPGStartupWait(Duration.ofMinutes(2))
                  .setServerConfig("fsync", "on")
                  .setServerConfig("synchronous_commit", "on")
                  .setServerConfig("full_page_writes", "on")
                  .setServerConfig("shared_preload_libraries", "pg_stat_statements")
                  .setServerConfig("pg_stat_statements.track_utility", "off")
                  .start());
      started.prepare();
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void prepare() throws SQLException {
    execute("CREATE EXTENSION pg_stat_statements");
    execute("CREATE DATABASE " + EMPTY);
    JdbcStore.open(storeUrl(EMPTY)).close();
  }

  /** The settings that matter for the results, as the server reports them. */
  public Map<String, String> settings() throws SQLException {
    Map<String, String> values = new LinkedHashMap<>();
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement()) {
      for (String name : SETTINGS) {
        try (ResultSet row = statement.executeQuery("SHOW " + name)) {
          row.next();
          values.put(name, row.getString(1));
        }
      }
    }
    return values;
  }

  /** Creates an empty database with Perdure's tables. */
  public PostgresDatabase create() throws SQLException {
    return copy(EMPTY);
  }

  /** Copies a database. No connection to it may be open. */
  PostgresDatabase copy(String template) throws SQLException {
    String name = "bench" + ++databases;
    execute("CREATE DATABASE " + name + " TEMPLATE " + template + " STRATEGY file_copy");
    return new PostgresDatabase(this, name);
  }

  void drop(String name) throws SQLException {
    execute("DROP DATABASE " + name + " WITH (FORCE)");
  }

  String storeUrl(String database) {
    return "postgres://postgres@localhost:" + server.getPort() + "/" + database;
  }

  String jdbcUrl(String database) {
    return server.getJdbcUrl("postgres", database);
  }

  Connection connect(String database) throws SQLException {
    return server.getDatabase("postgres", database).getConnection();
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** WAL position, commits and executed statements of a database. */
  long[] counters(String database) throws SQLException {
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT
                  (SELECT CAST(pg_current_wal_lsn() - '0/0' AS bigint)),
                  (SELECT d.xact_commit FROM pg_stat_database d WHERE d.datname = '%1$s'),
                  (SELECT COALESCE(sum(s.calls), 0)
                   FROM pg_stat_statements s
                   JOIN pg_database d ON d.oid = s.dbid
                   WHERE d.datname = '%1$s')
                """
                    .formatted(database))) {
      row.next();
      return new long[] {row.getLong(1), row.getLong(2), row.getLong(3)};
    }
  }

  List<DatabaseUsage.TopStatement> topStatements(String database) throws SQLException {
    List<DatabaseUsage.TopStatement> found = new ArrayList<>();
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                """
                SELECT s.calls, s.total_exec_time, s.query
                FROM pg_stat_statements s
                JOIN pg_database d ON d.oid = s.dbid
                WHERE d.datname = '%s'
                ORDER BY s.total_exec_time DESC
                LIMIT 5
                """
                    .formatted(database))) {
      while (rows.next()) {
        String text = rows.getString(3).replaceAll("\\s+", " ").strip();
        String shown = CLOCK.matcher(text).replaceFirst("… ");
        found.add(new DatabaseUsage.TopStatement(rows.getLong(1), rows.getDouble(2), shown));
      }
    }
    return found;
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
