// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import dev.perdure.bench.durable.Contender;
import dev.perdure.bench.durable.Database;
import dev.perdure.bench.durable.PostgresFloor;
import dev.perdure.bench.durable.PostgresServer;
import dev.perdure.bench.durable.SqliteDatabase;
import dev.perdure.bench.durable.SqliteFloor;
import java.sql.SQLException;

/** Where the server keeps its tasks: {@code postgres} or {@code sqlite}. */
record Store(String name, PostgresServer server) {

  static final String POSTGRES = "postgres";
  static final String SQLITE = "sqlite";

  /** An empty database with our tables. */
  Database create() throws SQLException {
    return isPostgres() ? server.create() : SqliteDatabase.create();
  }

  /** The least that the database must do for a task: bare SQL on a database of its own. */
  Contender floor(Database database, int connections) throws SQLException {
    return isPostgres()
        ? new PostgresFloor(database, 1, connections)
        : new SqliteFloor(database, 1);
  }

  /** What PostgreSQL does by itself within a minute; before, it plans as if tables were empty. */
  void analyze(Database database) throws SQLException {
    if (isPostgres()) {
      database.execute("ANALYZE");
    }
  }

  boolean isPostgres() {
    return name.equals(POSTGRES);
  }
}
