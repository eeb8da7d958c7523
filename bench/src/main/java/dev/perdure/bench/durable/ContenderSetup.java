// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.sql.SQLException;

/**
 * A contender and how to create it.
 *
 * @param batch tasks per submission
 * @param maxTasks maximum number of tasks per round
 */
record ContenderSetup(
    String name, int batch, int maxTasks, DatabaseSource databases, ContenderFactory factory) {

  /** Creates a database for one round. */
  @FunctionalInterface
  interface DatabaseSource {
    BenchDatabase create() throws SQLException;
  }

  /** Creates a contender on a database. */
  @FunctionalInterface
  interface ContenderFactory {
    DurableContender open(BenchDatabase database) throws SQLException;
  }

  /** The same contender on databases that already contain rows. */
  ContenderSetup withDatabases(String suffix, DatabaseSource databases) {
    return new ContenderSetup(name + suffix, batch, maxTasks, databases, factory);
  }
}
