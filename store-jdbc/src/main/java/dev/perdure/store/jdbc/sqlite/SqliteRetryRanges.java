// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.query.RetryWave;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.spi.RetryWaveCounter.DueRange;
import dev.perdure.engine.spi.RetryWaveCounter.RangeCount;
import dev.perdure.engine.spi.RetryWaveCounter.RangeCounter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Counts waiting retries in ranges of due times, one range after the other. */
final class SqliteRetryRanges implements RangeCounter<SQLException> {

  private final boolean byKind;
  private final CachedStatement statement;

  SqliteRetryRanges(SqliteSession session, RetryWaveQuery query) throws SQLException {
    this.byKind = query.byKind();
    this.statement =
        session
            .statement(byKind ? "retry_wave.count_by_kind" : "retry_wave.count")
            .text("kind", query.kind());
  }

  @Override
  public List<RangeCount> count(int shard, List<DueRange> ranges, int limit) throws SQLException {
    statement.number("shard", shard).number("limit", limit);
    List<RangeCount> counts = new ArrayList<>();
    for (int i = 0; i < ranges.size(); i++) {
      int range = i;
      statement
          .number("after", SqliteValues.millis(ranges.get(i).after()))
          .number("up_to", SqliteValues.millis(ranges.get(i).upTo()));
      counts.addAll(
          statement.list(
              row ->
                  new RangeCount(
                      range,
                      byKind ? row.getString("kind") : RetryWave.OTHER_KINDS,
                      row.getLong("entries"),
                      row.getLong("retries"))));
    }
    return counts;
  }
}
