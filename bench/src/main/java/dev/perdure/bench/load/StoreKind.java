// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import dev.perdure.bench.durable.BenchDatabase;
import dev.perdure.bench.durable.DurableContender;
import dev.perdure.bench.durable.PostgresBaseline;
import dev.perdure.bench.durable.PostgresServer;
import dev.perdure.bench.durable.SqliteBaseline;
import dev.perdure.bench.durable.SqliteDatabase;
import java.sql.SQLException;

/** Where the server keeps its tasks: {@code postgres} or {@code sqlite}. */
record StoreKind(String name, PostgresServer server) {

  static final String POSTGRES = "postgres";
  static final String SQLITE = "sqlite";

  /** An empty database with our tables. */
  BenchDatabase create() throws SQLException {
    return isPostgres() ? server.create() : SqliteDatabase.create();
  }

  /** The least that the database must do for a task: bare SQL on a database of its own. */
  DurableContender baseline(BenchDatabase database, int connections) throws SQLException {
    return isPostgres()
        ? new PostgresBaseline(database, 1, connections)
        : new SqliteBaseline(database, 1);
  }

  /** What PostgreSQL does by itself within a minute; before, it plans as if tables were empty. */
  void analyze(BenchDatabase database) throws SQLException {
    if (isPostgres()) {
      database.execute("ANALYZE");
    }
  }

  boolean isPostgres() {
    return name.equals(POSTGRES);
  }
}
