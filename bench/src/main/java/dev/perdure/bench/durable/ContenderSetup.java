// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.sql.SQLException;

/**
 * One of those who are compared.
 *
 * @param maxTasks the most tasks of a round
 */
record ContenderSetup(
    String name, int batch, int maxTasks, DatabaseSource databases, ContenderFactory factory) {

  /** Makes a database for one round. */
  @FunctionalInterface
  interface DatabaseSource {
    BenchDatabase create() throws SQLException;
  }

  /** Makes a contender on it. */
  @FunctionalInterface
  interface ContenderFactory {
    DurableContender open(BenchDatabase database) throws SQLException;
  }

  boolean isEngine() {
    return !name.contains("-");
  }

  /** The same with other rows in its tables from the start. */
  ContenderSetup withDatabases(String suffix, DatabaseSource others) {
    return new ContenderSetup(name + suffix, batch, maxTasks, others, factory);
  }
}
