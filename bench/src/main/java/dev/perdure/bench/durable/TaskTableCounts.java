// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.bench.durable.DurableContender.Counts;
import java.sql.SQLException;

/** What our own tables say about the tasks of a round. */
final class TaskTableCounts {

  private TaskTableCounts() {}

  /** Tasks of next week are not part of the round. */
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
