// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.store.Reading;
import dev.perdure.engine.store.Sweeps;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds in the model what needs a decision because time has passed. */
final class ModelSweeps implements Sweeps {

  private record EndedBatch(UUID id, int tasks, Instant endedAt) {}

  private final ModelDatabase database;

  ModelSweeps(ModelDatabase database) {
    this.database = database;
  }

  @Override
  public Reading orphans(int limit) {
    synchronized (database) {
      Instant now = database.now();
      return reading(database.tasks.held().filter(row -> isOrphan(row, now)), now, limit);
    }
  }

  private boolean isOrphan(Row row, Instant now) {
    return row.leaseUntil() == null
        ? row.task().worker() != null && database.nodes.isGone(row.task().worker())
        : Row.hasCome(row.leaseUntil(), now);
  }

  @Override
  public Reading silent(int limit) {
    synchronized (database) {
      Instant now = database.now();
      return reading(
          database.tasks.held().filter(row -> row.isSilent(now) && !isANodes(row)), now, limit);
    }
  }

  private static boolean isANodes(Row row) {
    return row.leaseUntil() == null && row.task().worker() != null;
  }

  @Override
  public Reading pastDeadline(int limit) {
    synchronized (database) {
      Instant now = database.now();
      return reading(
          database.tasks.byDeadline().takeWhile(row -> row.isPastDeadline(now)), now, limit);
    }
  }

  private static Reading reading(Stream<Row> rows, Instant now, int limit) {
    return new Reading(rows.limit(limit).map(Row::task).toList(), now);
  }

  @Override
  public int purge(Duration age, int limit) {
    synchronized (database) {
      int deleted = database.tasks.deleteGoing(limit);
      if (deleted > 0) {
        return deleted;
      }
      letGo(endedBefore(database.now().minus(age)), limit);
      return database.tasks.deleteGoing(limit);
    }
  }

  @Override
  public int forget(int limit) {
    synchronized (database) {
      return database.keys.forget(database.now(), limit);
    }
  }

  private void letGo(List<EndedBatch> ended, int limit) {
    int tasks = 0;
    for (EndedBatch batch : ended) {
      if (tasks > 0 && tasks + batch.tasks() > limit) {
        break;
      }
      database.tasks.letGo(batch.id());
      tasks += batch.tasks();
    }
  }

  private List<EndedBatch> endedBefore(Instant before) {
    List<EndedBatch> ended = new ArrayList<>();
    for (UUID id : database.tasks.batches()) {
      ended(id).filter(batch -> batch.endedAt().isBefore(before)).ifPresent(ended::add);
    }
    ended.sort(
        Comparator.comparing(EndedBatch::endedAt).thenComparing(EndedBatch::id, Row.ID_ORDER));
    return ended;
  }

  private Optional<EndedBatch> ended(UUID id) {
    if (database.tasks.deliveries().isPending(id)) {
      return Optional.empty();
    }
    List<Row> rows = database.tasks.batch(id);
    Instant last = Instant.MIN;
    for (Row row : rows) {
      Instant endedAt = endedAt(row.task());
      if (endedAt == null) {
        return Optional.empty();
      }
      last = endedAt.isAfter(last) ? endedAt : last;
    }
    return Optional.of(new EndedBatch(id, rows.size(), last));
  }

  private static @Nullable Instant endedAt(Task task) {
    return task.times().endedAt();
  }
}
