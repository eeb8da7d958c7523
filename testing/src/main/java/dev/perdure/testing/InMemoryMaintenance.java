// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.TaskSnapshot;
import dev.perdure.engine.task.IdOrder;
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

/** Time-based maintenance of the in-memory store. */
final class InMemoryMaintenance implements MaintenanceStore {

  private record EndedBatch(UUID id, int tasks, Instant endedAt) {}

  private final InMemoryDatabase database;

  InMemoryMaintenance(InMemoryDatabase database) {
    this.database = database;
  }

  @Override
  public TaskSnapshot orphans(int limit) {
    synchronized (database) {
      Instant now = database.now();
      return snapshot(
          database.tasks.leased().filter(storedTask -> isOrphan(storedTask, now)), now, limit);
    }
  }

  private boolean isOrphan(StoredTask storedTask, Instant now) {
    return storedTask.leaseUntil() == null
        ? storedTask.task().worker() != null && database.nodes.isGone(storedTask.task().worker())
        : StoredTask.isReached(storedTask.leaseUntil(), now);
  }

  @Override
  public TaskSnapshot inactive(int limit) {
    synchronized (database) {
      Instant now = database.now();
      return snapshot(
          database
              .tasks
              .leased()
              .filter(storedTask -> storedTask.isInactive(now) && !isLeasedToNode(storedTask)),
          now,
          limit);
    }
  }

  private static boolean isLeasedToNode(StoredTask storedTask) {
    return storedTask.leaseUntil() == null && storedTask.task().worker() != null;
  }

  @Override
  public TaskSnapshot pastDeadline(int limit) {
    synchronized (database) {
      Instant now = database.now();
      return snapshot(
          database.tasks.byDeadline().takeWhile(storedTask -> storedTask.isPastDeadline(now)),
          now,
          limit);
    }
  }

  private static TaskSnapshot snapshot(Stream<StoredTask> storedTasks, Instant now, int limit) {
    return new TaskSnapshot(storedTasks.limit(limit).map(StoredTask::task).toList(), now);
  }

  @Override
  public int purge(Duration age, int limit) {
    synchronized (database) {
      int deleted = database.tasks.deleteMarked(limit);
      if (deleted > 0) {
        return deleted;
      }
      markForDeletion(endedBefore(database.now().minus(age)), limit);
      return database.tasks.deleteMarked(limit);
    }
  }

  @Override
  public int purgeSubmissionKeys(int limit) {
    synchronized (database) {
      return database.keys.deleteExpired(database.now(), limit);
    }
  }

  @Override
  public LimitSweep sweepLimits(String after, int limit) {
    synchronized (database) {
      return new InMemoryLimitSweep(database).run(after, limit);
    }
  }

  private void markForDeletion(List<EndedBatch> ended, int limit) {
    int tasks = 0;
    for (EndedBatch batch : ended) {
      if (tasks > 0 && tasks + batch.tasks() > limit) {
        break;
      }
      database.tasks.markForDeletion(batch.id());
      tasks += batch.tasks();
    }
  }

  private List<EndedBatch> endedBefore(Instant before) {
    List<EndedBatch> ended = new ArrayList<>();
    for (UUID id : database.tasks.batches()) {
      ended(id).filter(batch -> batch.endedAt().isBefore(before)).ifPresent(ended::add);
    }
    ended.sort(
        Comparator.comparing(EndedBatch::endedAt).thenComparing(EndedBatch::id, IdOrder.BYTEWISE));
    return ended;
  }

  private Optional<EndedBatch> ended(UUID id) {
    if (database.tasks.deliveries().isPending(id) || database.tasks.runs().hasNext(id)) {
      return Optional.empty();
    }
    List<StoredTask> storedTasks = database.tasks.batch(id);
    Instant last = Instant.MIN;
    for (StoredTask storedTask : storedTasks) {
      Instant endedAt = endedAt(storedTask.task());
      if (endedAt == null || database.tasks.dependencies().hasEvent(storedTask.id())) {
        return Optional.empty();
      }
      last = endedAt.isAfter(last) ? endedAt : last;
    }
    return Optional.of(new EndedBatch(id, storedTasks.size(), last));
  }

  private static @Nullable Instant endedAt(Task task) {
    return task.times().endedAt();
  }
}
