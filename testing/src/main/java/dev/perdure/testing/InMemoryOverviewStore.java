// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.perdure.engine.query.Census;
import dev.perdure.engine.query.Census.DueTasks;
import dev.perdure.engine.query.DeadLetters;
import dev.perdure.engine.query.NodeDetails;
import dev.perdure.engine.query.NodeLoad;
import dev.perdure.engine.query.ScheduleDelay;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.spi.OverviewStore;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.TaskState;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What an overview of the in-memory store shows. */
record InMemoryOverviewStore(InMemoryDatabase database) implements OverviewStore {

  @Override
  public void reportLoad(UUID node, NodeLoad load) {
    synchronized (database) {
      database.nodes.report(node, load, database.now());
    }
  }

  @Override
  public List<NodeDetails> nodes() {
    synchronized (database) {
      return database.nodes.all();
    }
  }

  @Override
  public Census census() {
    synchronized (database) {
      Instant now = database.now();
      List<StoredTask> tasks = database.tasks.newestFirst().toList();
      List<StoredTask> retries =
          tasks.stream().filter(task -> task.state() == TaskState.RETRY_PENDING).toList();
      return new Census(
          now,
          new InMemoryStatistics(database).backlog(),
          due(tasks, now),
          tasks.stream()
              .filter(task -> task.state().isLive())
              .filter(task -> task.task().hold().contains(HoldReason.PARKED))
              .count(),
          retries.stream()
              .filter(task -> !isHeldBack(task))
              .collect(groupingBy(StoredTask::kind, counting())),
          retries.stream()
              .map(task -> task.task().times().dueAt())
              .filter(now::isBefore)
              .min(Comparator.naturalOrder())
              .orElse(null),
          false);
    }
  }

  private static boolean isHeldBack(StoredTask task) {
    return task.task().hold().contains(HoldReason.PARKED)
        || task.task().hold().contains(HoldReason.PAUSED);
  }

  private static List<DueTasks> due(List<StoredTask> tasks, Instant now) {
    Map<List<@Nullable String>, DueTasks> due = new HashMap<>();
    for (StoredTask task : tasks) {
      if (task.isClaimable() && task.isDue(now)) {
        String queue = task.task().definition().queue();
        Instant dueAt = task.task().times().dueAt();
        due.merge(
            Arrays.asList(task.kind(), queue),
            new DueTasks(task.kind(), queue, 1, dueAt),
            (one, other) ->
                new DueTasks(
                    one.kind(),
                    queue,
                    one.count() + 1,
                    one.oldestDueAt().isBefore(dueAt) ? one.oldestDueAt() : dueAt));
      }
    }
    return List.copyOf(due.values());
  }

  @Override
  public DeadLetters deadLetters() {
    synchronized (database) {
      Instant recent = database.now().minus(RECENT);
      List<StoredTask> failed =
          database.tasks.newestFirst().filter(task -> task.state() == TaskState.FAILURE).toList();
      return new DeadLetters(
          Math.min(DeadLetters.MAX_COUNTED, failed.size()),
          failed.stream().filter(task -> recent.isBefore(task.task().times().endedAt())).count(),
          database
              .tasks
              .deliveries()
              .newestFirst()
              .filter(delivery -> delivery.state() == DeliveryState.DEAD)
              .count());
    }
  }

  @Override
  public List<ScheduleDelay> scheduleDelays(int limit) {
    synchronized (database) {
      return database
          .schedules
          .all()
          .flatMap(schedule -> Stream.concat(overdue(schedule).stream(), delayed(schedule)))
          .sorted(ScheduleDelay.ORDER)
          .limit(limit)
          .toList();
    }
  }

  private Optional<ScheduleDelay> overdue(Schedule schedule) {
    Instant due =
        schedule.problem() == null
            ? database.now().minus(ScheduleDelay.LATE_AFTER)
            : database.now();
    return Optional.ofNullable(schedule.nextAt())
        .filter(next -> !next.isAfter(due))
        .map(
            next ->
                ScheduleDelay.overdue(schedule.id(), schedule.name(), next, schedule.problem()));
  }

  private Stream<ScheduleDelay> delayed(Schedule schedule) {
    Instant recent = database.now().minus(RECENT);
    return database.schedules.firings(schedule.id()).stream()
        .filter(firing -> firing.firedAt().isAfter(recent) && ScheduleDelay.isDelayed(firing))
        .map(firing -> ScheduleDelay.of(schedule.id(), schedule.name(), firing));
  }
}
