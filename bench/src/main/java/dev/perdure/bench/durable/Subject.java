// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.sql.SQLException;

/**
 * One of those who are compared.
 *
 * @param most the most tasks of a round
 */
record Subject(String name, int batch, int most, DatabaseSource databases, Opening opening) {

  /** Makes a database for one round. */
  @FunctionalInterface
  interface DatabaseSource {
    Database create() throws SQLException;
  }

  /** Makes a contender on it. */
  @FunctionalInterface
  interface Opening {
    Contender open(Database database) throws SQLException;
  }

  boolean isEngine() {
    return !name.contains("-");
  }

  /** The same with other rows in its tables from the start. */
  Subject on(String suffix, DatabaseSource others) {
    return new Subject(name + suffix, batch, most, others, opening);
  }
}
