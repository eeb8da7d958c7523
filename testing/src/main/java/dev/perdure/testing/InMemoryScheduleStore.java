// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.FiringProblem;
import dev.perdure.engine.schedule.Overlap;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.TaskState;
import dev.perdure.testing.ScheduleTable.StoredSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Schedules of the in-memory store. */
final class InMemoryScheduleStore implements ScheduleStore {

  private final InMemoryDatabase database;

  InMemoryScheduleStore(InMemoryDatabase database) {
    this.database = database;
  }

  private ScheduleTable table() {
    return database.schedules;
  }

  @Override
  public boolean create(UUID id, ScheduleContent content) {
    synchronized (database) {
      Instant now = database.now();
      boolean taken =
          table().all().anyMatch(one -> one.id().equals(id) || one.name().equals(content.name()));
      if (!taken) {
        table().put(schedule(id, content, 0, now, now), content.firstAfter(now));
      }
      return !taken;
    }
  }

  private static Schedule schedule(
      UUID id, ScheduleContent content, long version, Instant now, Instant createdAt) {
    return new Schedule(
        id,
        content.name(),
        content.trigger(),
        content.overlap(),
        content.misfire(),
        content.enabled(),
        content.template(),
        content.asGiven(),
        version,
        now,
        content.firstAfter(now),
        0,
        0,
        createdAt,
        now,
        null);
  }

  @Override
  public boolean update(UUID id, ScheduleContent content, @Nullable Long version) {
    synchronized (database) {
      Schedule before = find(id).orElse(null);
      if (before == null || (version != null && version != before.version())) {
        return false;
      }
      Instant now = database.now();
      boolean queues = content.overlap() == Overlap.QUEUE;
      Schedule after =
          schedule(id, content, before.version() + 1, now, before.createdAt())
              .withDecision(
                  content.firstAfter(now), queues ? before.queued() : 0, before.firings());
      table().put(after, after.enabled() && after.queued() > 0 ? now : after.nextAt());
      if (!queues) {
        table().firings(id).removeIf(firing -> firing.outcome() == Firing.Outcome.QUEUED);
      }
      return true;
    }
  }

  @Override
  public boolean delete(UUID id) {
    synchronized (database) {
      return table().delete(id);
    }
  }

  @Override
  public Optional<Schedule> find(UUID id) {
    synchronized (database) {
      return table().all().filter(one -> one.id().equals(id)).findFirst();
    }
  }

  @Override
  public Optional<Schedule> findByName(String name) {
    synchronized (database) {
      return table().all().filter(one -> one.name().equals(name)).findFirst();
    }
  }

  @Override
  public List<Schedule> list(String after, int limit) {
    synchronized (database) {
      return ScheduleStore.page(
          table()
              .all()
              .filter(one -> LimitReader.KEY_ORDER.compare(one.name(), after) > 0)
              .toList(),
          limit);
    }
  }

  @Override
  public FiringRound fireDue(int limit, FiringDecider decider) {
    synchronized (database) {
      Instant now = database.now();
      List<StoredSchedule> due = table().due(now).limit(limit).toList();
      List<FiringProblem> problems = new ArrayList<>();
      int decided = 0;
      for (int tasks = 0; decided < due.size() && tasks < MAX_TASKS_PER_ROUND; decided++) {
        Schedule schedule = due.get(decided).schedule();
        try {
          tasks += fire(schedule, decider, now).stream().mapToInt(this::tasks).sum();
        } catch (RuntimeException failure) {
          FiringProblem problem = FiringProblem.of(schedule, failure);
          problems.add(problem);
          table().put(schedule.withProblem(problem.problem()), now.plus(FiringProblem.RETRY_AFTER));
        }
      }
      return new FiringRound(decided, problems);
    }
  }

  @Override
  public Optional<List<Firing>> fire(UUID id, FiringDecider decider) {
    synchronized (database) {
      Optional<Schedule> found = find(id);
      Instant at = ScheduleStore.instantByHand(database.now(), firings(id, 1));
      return found.map(schedule -> fire(schedule, decider, at));
    }
  }

  private int tasks(Firing firing) {
    return firing.batch() == null ? 0 : database.tasks.batch(firing.batch()).size();
  }

  /** Returns the firings that were stored. */
  private List<Firing> fire(Schedule schedule, FiringDecider decider, Instant now) {
    FiringDecision decision = decider.decide(due(schedule), now);
    // What is wrong is found before anything is written.
    List<InMemorySubmissionWriter> writers =
        decision.submissions().stream()
            .map(submission -> new InMemorySubmissionWriter(submission, database.shards))
            .toList();
    Set<UUID> empty = new HashSet<>();
    for (int i = 0; i < writers.size(); i++) {
      UUID batch = decision.submissions().get(i).batch();
      if (writers.get(i).addTo(database, now).stored() > 0) {
        table().add(schedule.id(), batch);
      } else {
        empty.add(batch);
      }
    }
    List<Firing> firings = new ArrayList<>();
    for (Firing firing : decision.firings()) {
      boolean skipped = firing.batch() != null && empty.contains(firing.batch());
      firings.add(skipped ? firing.skipped() : firing);
      table().add(schedule.id(), firings.getLast());
    }
    table()
        .put(
            schedule.withDecision(
                decision.nextAt(),
                decision.queued(),
                schedule.firings() + decision.firings().size()),
            decision.lookAt());
    if (ScheduleStore.isPruned(schedule, decision)) {
      table().prune(schedule.id(), MAX_KEPT);
    }
    return firings;
  }

  private DueSchedule due(Schedule schedule) {
    Instant oldest =
        table().firings(schedule.id()).stream()
            .filter(firing -> firing.outcome() == Firing.Outcome.QUEUED)
            .map(Firing::scheduledFor)
            .min(Comparator.naturalOrder())
            .orElse(null);
    return new DueSchedule(schedule, isBusy(schedule.id()), oldest);
  }

  private boolean isBusy(UUID schedule) {
    return live(schedule)
        .anyMatch(
            task ->
                task.isLeased()
                    || (task.state() == TaskState.PENDING
                        && task.task().retryCounters().attempt() == 0));
  }

  private Stream<StoredTask> live(UUID schedule) {
    return table().batches(schedule).stream()
        .flatMap(batch -> database.tasks.batch(batch).stream())
        .filter(task -> task.state().isLive());
  }

  @Override
  public Optional<Duration> untilNext() {
    synchronized (database) {
      return table().nextLook().map(next -> Duration.between(database.now(), next));
    }
  }

  @Override
  public List<Firing> firings(UUID schedule, int limit) {
    synchronized (database) {
      return table().firings(schedule).reversed().stream().limit(limit).toList();
    }
  }

  @Override
  public List<UUID> liveTasks(UUID schedule, @Nullable UUID from, int limit) {
    synchronized (database) {
      return page(live(schedule).map(StoredTask::id), from, limit);
    }
  }

  @Override
  public List<UUID> unfinishedBatches(
      UUID schedule, boolean waiting, @Nullable UUID from, int limit) {
    synchronized (database) {
      return page(
          table().batches(schedule).stream()
              .filter(
                  batch ->
                      waiting
                          ? database.tasks.runs().isWaiting(batch)
                          : database.tasks.runs().hasNext(batch)),
          from,
          limit);
    }
  }

  private static List<UUID> page(Stream<UUID> ids, @Nullable UUID from, int limit) {
    return ids.filter(id -> from == null || IdOrder.BYTEWISE.compare(id, from) >= 0)
        .sorted(IdOrder.BYTEWISE)
        .limit(limit)
        .toList();
  }
}
