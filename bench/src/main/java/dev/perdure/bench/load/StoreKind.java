// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import dev.perdure.bench.durable.BenchDatabase;
import dev.perdure.bench.durable.DurableContender;
import dev.perdure.bench.durable.PostgresBaseline;
import dev.perdure.bench.durable.PostgresServer;
import dev.perdure.bench.durable.SqliteBaseline;
import dev.perdure.bench.durable.SqliteDatabase;
import java.sql.SQLException;

/** The database of the server: {@code postgres} or {@code sqlite}. */
record StoreKind(String name, PostgresServer server) {

  static final String POSTGRES = "postgres";
  static final String SQLITE = "sqlite";

  /** Creates an empty database with Perdure's tables. */
  BenchDatabase create() throws SQLException {
    return isPostgres() ? server.create() : SqliteDatabase.create();
  }

  /** Hand-written SQL that does the least work for the same rows, on its own database. */
  DurableContender baseline(BenchDatabase database, int connections) throws SQLException {
    return isPostgres()
        ? new PostgresBaseline(database, 1, connections)
        : new SqliteBaseline(database, 1);
  }

  /**
   * Updates the statistics. PostgreSQL does this on its own within a minute; until then it plans
   * queries as if the tables were empty.
   */
  void analyze(BenchDatabase database) throws SQLException {
    if (isPostgres()) {
      database.execute("ANALYZE");
    }
  }

  boolean isPostgres() {
    return name.equals(POSTGRES);
  }
}
