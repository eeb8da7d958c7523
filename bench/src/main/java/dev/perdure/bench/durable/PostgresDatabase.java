// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.sql.Connection;
import java.sql.SQLException;

/** A database on the embedded PostgreSQL server. */
public record PostgresDatabase(PostgresServer server, String name) implements BenchDatabase {

  @Override
  public String url() {
    return server.storeUrl(name);
  }

  @Override
  public String jdbcUrl() {
    return server.jdbcUrl(name);
  }

  @Override
  public Connection connect() throws SQLException {
    return server.connect(name);
  }

  @Override
  public void checkpoint() throws SQLException {
    server.execute("CHECKPOINT");
  }

  @Override
  public UsageMeter meter() throws SQLException {
    long[] before = server.counters(name);
    return tasks -> {
      long[] after = server.counters(name);
      return new DatabaseUsage(
          (after[2] - before[2]) / (double) tasks,
          (after[1] - before[1]) / (double) tasks,
          (after[0] - before[0]) / (double) tasks,
          server.topStatements(name));
    };
  }

  @Override
  public void close() throws SQLException {
    server.drop(name);
  }
}
