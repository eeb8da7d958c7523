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

/** A database of its own, on the one server of the JVM. */
final class TestPostgres implements AutoCloseable {

  private static final boolean WANTED = !"off".equals(System.getProperty("perdure.test.postgres"));
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private final String name = "test" + DATABASES.incrementAndGet();

  /** With our tables. */
  TestPostgres() {
    this(WANTED ? Server.MIGRATED : "");
  }

  private TestPostgres(String template) {
    assumeTrue(WANTED, "PostgreSQL is turned off by perdure.test.postgres");
    onServer("CREATE DATABASE " + name + " TEMPLATE " + template + Server.QUICKLY);
  }

  /** Without any tables. */
  static TestPostgres bare() {
    return new TestPostgres("template1");
  }

  String url() {
    return "postgres://postgres@localhost:" + server().getPort() + "/" + name;
  }

  /** A connection that commits by itself. */
  Connection connect() throws SQLException {
    return server().getDatabase("postgres", name).getConnection();
  }

  /** A connection in a transaction. */
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
    return Server.ONLY;
  }

  private static final class Server {

    static final EmbeddedPostgres ONLY = start();
    static final String QUICKLY = quickly();
    static final String MIGRATED = migrated();

    private static EmbeddedPostgres start() {
      try {
        return EmbeddedPostgres.builder()
            .setPGStartupWait(Duration.ofMinutes(2))
            .setServerConfig("fsync", "off")
            .setServerConfig("max_connections", "300")
            .setServerConfig("deadlock_timeout", "100ms")
            // It would read blocks of tables while a test counts what a statement reads.
            .setServerConfig("autovacuum", "off")
            .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Until 15 it was the only way, and had no name. */
    private static String quickly() {
      try (Connection connection = ONLY.getPostgresDatabase().getConnection()) {
        int version = connection.getMetaData().getDatabaseMajorVersion();
        return version < 15 ? "" : " STRATEGY file_copy";
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Copied by each test, which is quicker than migrating each time. */
    private static String migrated() {
      TestPostgres template = bare();
      JdbcStore.open(template.url()).close();
      return template.name;
    }
  }
}
