// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.query.RetryWave;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.spi.RetryWaveCounter;
import dev.perdure.engine.spi.RetryWaveCounter.DueRange;
import dev.perdure.engine.spi.RetryWaveCounter.RangeCount;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskState;
import java.util.ArrayList;
import java.util.List;

/** Counts the waiting retries of the in-memory store. */
final class InMemoryRetryWave {

  private final InMemoryDatabase database;
  private final RetryWaveQuery query;
  private final List<StoredTask> retries;

  InMemoryRetryWave(InMemoryDatabase database, RetryWaveQuery query) {
    this.database = database;
    this.query = query;
    this.retries =
        database
            .tasks
            .newestFirst()
            .filter(storedTask -> storedTask.state() == TaskState.RETRY_PENDING)
            .sorted(StoredTask.DUE_ORDER)
            .toList();
  }

  RetryWave count() {
    return new RetryWaveCounter(query, database.shards, database.now()).count(this::count);
  }

  private List<RangeCount> count(int shard, List<DueRange> ranges, int limit) {
    List<RangeCount> counts = new ArrayList<>();
    for (int i = 0; i < ranges.size(); i++) {
      int range = i;
      retries.stream()
          .filter(retry -> Shards.of(retry.id()) == shard && isIn(retry, ranges.get(range)))
          .limit(limit)
          .map(retry -> new RangeCount(range, retry.kind(), 1, isCounted(retry) ? 1 : 0))
          .forEach(counts::add);
    }
    return counts;
  }

  private static boolean isIn(StoredTask retry, DueRange range) {
    return retry.dueAt().isAfter(range.after()) && !retry.dueAt().isAfter(range.upTo());
  }

  private boolean isCounted(StoredTask retry) {
    return (retry.isClaimable() || retry.waitsForLimit())
        && (query.kind() == null || retry.kind().equals(query.kind()));
  }
}
