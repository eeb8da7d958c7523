// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import dev.perdure.store.jdbc.JdbcStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The databases that a server supports. Each use gets an empty one. */
public enum TestDatabase {
  SQLITE {
    @Override
    public String url(Path folder) {
      return "sqlite:" + folder.resolve("perdure.db");
    }

    @Override
    String migrated(Path folder) {
      return url(folder);
    }
  },
  POSTGRES {
    @Override
    public String url(Path folder) {
      assumePostgres();
      return Postgres.newDatabase("template1");
    }

    @Override
    String migrated(Path folder) {
      assumePostgres();
      return Postgres.newDatabase(Postgres.MIGRATED);
    }

    private static void assumePostgres() {
      assumeFalse(
          "off".equals(System.getProperty("perdure.test.postgres")),
          "PostgreSQL is turned off by perdure.test.postgres");
    }
  };

  /** With these, a server notices lost nodes and silent callees after 4 s instead of 10 s. */
  private static final Map<Setting<?>, String> QUICK =
      Map.of(Settings.RETRY_LOOP_INTERVAL_MS, "50", Settings.WORKER_CLAIM_TIMEOUT_SECS, "10");

  /** The URL of a new database; a SQLite file is in the folder. */
  public abstract String url(Path folder);

  /** The URL of a new database that may be migrated already, which is faster. */
  abstract String migrated(Path folder);

  /** The JDBC URL of the same database. */
  public static String jdbc(String url) {
    return "jdbc:" + url.replaceFirst("^postgres://(\\w+)@(\\S+)$", "postgresql://$2?user=$1");
  }

  public TestServer server(Path folder) {
    return server(folder, Map.of());
  }

  public TestServer server(Path folder, Map<Setting<?>, String> settings) {
    Map<Setting<?>, String> all = new LinkedHashMap<>(QUICK);
    all.put(Settings.DATABASE_URL, migrated(folder));
    all.putAll(settings);
    return TestServer.in(folder, all);
  }

  /** The one PostgreSQL server of the JVM. */
  private static final class Postgres {

    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static final EmbeddedPostgres SERVER = start();
    private static final String MIGRATED = migrated();

    private static EmbeddedPostgres start() {
      try {
        return EmbeddedPostgres.builder()
            .setPGStartupWait(Duration.ofMinutes(2))
            .setServerConfig("fsync", "off")
            .setServerConfig("max_connections", "200")
            .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static String migrated() {
      String url = newDatabase("template1");
      JdbcStore.open(url).close();
      return url.substring(url.lastIndexOf('/') + 1);
    }

    static String newDatabase(String template) {
      String name = "server" + DATABASES.incrementAndGet();
      try (Connection connection = SERVER.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(
            "CREATE DATABASE " + name + " TEMPLATE " + template + " STRATEGY file_copy");
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      return "postgres://postgres@localhost:" + SERVER.getPort() + "/" + name;
    }
  }
}
