// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.bench.durable.DurableContender.Counts;
import java.sql.SQLException;

/** Counts the tasks of a round in Perdure's tables. */
final class TaskTableCounts {

  private TaskTableCounts() {}

  /** Leaves out the tasks of next week, which have a name. */
  static Counts counts(BenchDatabase database) throws SQLException {
    return new Counts(
        database.queryLong("SELECT count(*) FROM perdure_attempt WHERE outcome = 'success'"),
        database.queryLong("SELECT count(*) FROM perdure_task_state WHERE state = 'success'"),
        database.queryLong(
                "SELECT count(*) FROM perdure_task_state s JOIN perdure_task t"
                    + " ON t.shard = s.shard AND t.batch = s.batch AND t.id = s.id"
                    + " WHERE s.state <> 'success' AND t.name IS NULL")
            + database.queryLong(
                "SELECT count(*) FROM perdure_attempt WHERE outcome <> 'success'"));
  }
}
