// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.util.List;

/**
 * What one task cost the database.
 *
 * @param statements calls of statements; negative when nobody counted
 * @param commits transactions on PostgreSQL; writes to files on SQLite
 * @param bytes of write-ahead log on PostgreSQL; written to files on SQLite
 * @param topStatements the statements that took most of the server's time
 */
public record DatabaseUsage(
    double statements, double commits, double bytes, List<TopStatement> topStatements) {

  static final double UNKNOWN = -1;

  /** One statement's part. */
  public record TopStatement(long calls, double millis, String text) {}

  public DatabaseUsage {
    topStatements = List.copyOf(topStatements);
  }
}
