// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.query.BatchPage;
import dev.perdure.engine.query.BatchReader;
import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.store.jdbc.sql.BatchRowMapper.BatchRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Collects the batches that a list finds, shard by shard, up to where each shard stops because it
 * has looked at enough tasks.
 */
public final class BatchScan {

  /** Where a shard ends. */
  public static final UUID END = new UUID(0, 0);

  private static final Comparator<BatchRow> NEWEST_FIRST =
      Comparator.comparing(BatchRow::id, IdOrder.BYTEWISE).reversed();

  private final int tasksEach;
  private final int batchesEach;
  private final List<BatchRow> found = new ArrayList<>();
  private @Nullable Entry stop;
  private int lookedAt;

  public BatchScan(int shards) {
    this.tasksEach = Math.ceilDiv(BatchReader.MAX_LOOK, shards);
    this.batchesEach = Math.ceilDiv(BatchReader.MAX_BATCHES, shards);
  }

  /** A batch that is looked at. */
  public record Entry(UUID id, Instant createdAt, long size) {}

  /** How many batches of a shard are looked at. */
  public int batchesEach() {
    return batchesEach;
  }

  /**
   * Takes the next batches of a shard, and returns the last one to look at. A batch that exceeds
   * the limit is left to the next page, where it is the first.
   */
  public UUID last(List<Entry> entries) {
    long tasks = 0;
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      tasks += entry.size();
      if (i > 0 && tasks > tasksEach) {
        return stopAt(entries.get(i - 1));
      }
      lookedAt++;
      if (tasks >= tasksEach || i + 1 == batchesEach) {
        return stopAt(entry);
      }
    }
    return END;
  }

  private UUID stopAt(Entry entry) {
    if (stop == null || IdOrder.BYTEWISE.compare(entry.id(), stop.id()) > 0) {
      stop = entry;
    }
    return entry.id();
  }

  public void add(List<BatchRow> rows) {
    found.addAll(rows);
  }

  public boolean stopped() {
    return stop != null;
  }

  /** The batches of the page, and one more if there are more. */
  public List<BatchRow> rows() {
    Entry end = stop;
    return found.stream()
        .filter(row -> end == null || IdOrder.BYTEWISE.compare(row.id(), end.id()) >= 0)
        .sorted(NEWEST_FIRST)
        .toList();
  }

  /**
   * One page of what was found.
   *
   * @param shown the summaries of the first rows
   */
  public BatchPage page(List<BatchSummary> shown, int size) {
    List<BatchRow> rows = rows();
    if (rows.size() > size) {
      return new BatchPage(shown, rows.get(size - 1).id().toString());
    }
    return stop == null
        ? new BatchPage(shown, null)
        : new BatchPage(shown, stop.id().toString(), lookedAt, stop.createdAt());
  }

  /** How many tasks of each batch can be counted if these are on one page. */
  public static int mostTasks(List<BatchRow> rows) {
    int left = BatchReader.MAX_COUNTED;
    List<BatchRow> smallest =
        rows.stream().sorted(Comparator.comparingInt(BatchRow::size)).toList();
    for (int i = 0; i < smallest.size(); i++) {
      int share = left / (smallest.size() - i);
      if (smallest.get(i).size() > share) {
        return Math.max(1, share);
      }
      left -= smallest.get(i).size();
    }
    return Integer.MAX_VALUE;
  }
}
