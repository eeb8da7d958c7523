// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perdure.store.jdbc.JdbcStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A database for one test, on the PostgreSQL server that all tests of the JVM share. */
final class TestPostgres implements AutoCloseable {

  private static final boolean ENABLED = !"off".equals(System.getProperty("perdure.test.postgres"));
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private final String name = "test" + DATABASES.incrementAndGet();

  /** Creates a database with our tables. */
  TestPostgres() {
    this(ENABLED ? Server.TEMPLATE : "");
  }

  private TestPostgres(String template) {
    assumeTrue(ENABLED, "PostgreSQL is turned off by perdure.test.postgres");
    onServer("CREATE DATABASE " + name + " TEMPLATE " + template + Server.STRATEGY);
  }

  /** Creates a database without tables. */
  static TestPostgres empty() {
    return new TestPostgres("template1");
  }

  String name() {
    return name;
  }

  String url() {
    return "postgres://postgres@localhost:" + server().getPort() + "/" + name;
  }

  /** Opens a connection in auto-commit mode. */
  Connection connect() throws SQLException {
    return server().getDatabase("postgres", name).getConnection();
  }

  /** Opens a connection without auto-commit. */
  Connection begin() throws SQLException {
    Connection connection = connect();
    connection.setAutoCommit(false);
    return connection;
  }

  @Override
  public void close() {
    onServer("DROP DATABASE " + name + " WITH (FORCE)");
  }

  private static void onServer(String sql) {
    try (Connection connection = server().getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static EmbeddedPostgres server() {
    return Server.SHARED;
  }

  private static final class Server {

    static final EmbeddedPostgres SHARED = start();
    static final String STRATEGY = strategy();
    static final String TEMPLATE = createTemplate();

    private static EmbeddedPostgres start() {
      try {
        return EmbeddedPostgres.builder()
            .setPGStartupWait(Duration.ofMinutes(2))
            .setServerConfig("fsync", "off")
            .setServerConfig("max_connections", "300")
            .setServerConfig("deadlock_timeout", "100ms")
            // Autovacuum would read blocks while a test counts what a statement reads.
            .setServerConfig("autovacuum", "off")
            .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /**
     * Copying files is faster here. Before PostgreSQL 15 it is the only strategy and has no name.
     */
    private static String strategy() {
      try (Connection connection = SHARED.getPostgresDatabase().getConnection()) {
        int version = connection.getMetaData().getDatabaseMajorVersion();
        return version < 15 ? "" : " STRATEGY file_copy";
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Each test copies a migrated database, which is faster than a migration. */
    private static String createTemplate() {
      TestPostgres template = empty();
      JdbcStore.open(template.url()).close();
      return template.name;
    }
  }
}
