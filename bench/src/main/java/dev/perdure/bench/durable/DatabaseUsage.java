// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.util.List;

/**
 * The work of the database per task.
 *
 * @param statements number of executed statements, or {@link #UNKNOWN}
 * @param commits transactions on PostgreSQL; write calls on SQLite
 * @param bytes write-ahead log on PostgreSQL; bytes written to files on SQLite
 * @param topStatements the statements that took the most time of the database server
 */
public record DatabaseUsage(
    double statements, double commits, double bytes, List<TopStatement> topStatements) {

  static final double UNKNOWN = -1;

  /** One statement with the number of its calls and their total time. */
  public record TopStatement(long calls, double millis, String text) {}

  public DatabaseUsage {
    topStatements = List.copyOf(topStatements);
  }
}
