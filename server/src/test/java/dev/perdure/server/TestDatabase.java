// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** The databases that a server is tried on. */
public enum TestDatabase {
  SQLITE {
    @Override
    public String url(Path folder) {
      return "sqlite:" + folder.resolve("perdure.db");
    }
  },
  POSTGRES {
    @Override
    public String url(Path folder) {
      return Postgres.database();
    }
  };

  /** A new database; a file lies in the folder. */
  public abstract String url(Path folder);

  /** The one server of the JVM. */
  private static final class Postgres {

    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static final EmbeddedPostgres SERVER = start();

    private static EmbeddedPostgres start() {
      try {
        return EmbeddedPostgres.builder()
            .setServerConfig("fsync", "off")
            .setServerConfig("max_connections", "200")
            .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    static String database() {
      String name = "test" + DATABASES.incrementAndGet();
      try (Connection connection = SERVER.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE DATABASE " + name);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      return "postgres://postgres@localhost:" + SERVER.getPort() + "/" + name;
    }
  }
}
