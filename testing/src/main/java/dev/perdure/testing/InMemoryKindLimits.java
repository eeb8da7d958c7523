// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.KindLimits;
import dev.perdure.engine.spi.LimitKeys;
import dev.perdure.engine.spi.LimitTables.LimitRow;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskLimit;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The limits of kinds, and the tasks that get them. */
final class InMemoryKindLimits {

  private final TaskTable tasks;
  private final Instant now;

  InMemoryKindLimits(TaskTable tasks, Instant now) {
    this.tasks = tasks;
    this.now = now;
  }

  void set(String kind, List<Limit> limits, KindLimit.Source source) {
    if (limits.isEmpty()) {
      tasks.limits().kinds().remove(kind);
    } else {
      tasks.limits().kinds().put(kind, new KindLimit(kind, limits, source, now));
    }
    List<StoredTask> leased = tasks.leased().filter(task -> task.kind().equals(kind)).toList();
    if (tasks.limits().accounting().limitsRunning()) {
      leased.forEach(task -> updateIfOutdated(tasks, task, now));
    }
    tasks.limits().rows().replaceAll((key, row) -> isOf(kind, key.text()) ? lookNow(row) : row);
  }

  private static boolean isOf(String kind, String key) {
    return LimitKeys.isOfKind(key) && LimitKeys.kind(key).equals(kind);
  }

  private LimitRow lookNow(LimitRow row) {
    LimitRule rule = kinds(tasks).rule(row.key()).orElse(row.rule());
    return new LimitRow(row.key(), row.queue(), rule, row.used(), row.nextStart(), now);
  }

  /** Gives due tasks the limits of their kinds, so that a claim of ordinary tasks skips them. */
  void updateDue(Set<String> queues) {
    Set<String> kinds = tasks.limits().kinds().keySet();
    if (!kinds.isEmpty() && tasks.limits().accounting().limitsDue()) {
      List<StoredTask> due =
          tasks
              .newestFirst()
              .filter(task -> kinds.contains(task.kind()) && queues.contains(task.queue()))
              .filter(task -> task.isClaimable() && task.isDue(now))
              .toList();
      due.forEach(task -> updateIfOutdated(tasks, task, now));
    }
  }

  private static void updateIfOutdated(TaskTable tasks, StoredTask task, Instant now) {
    TaskDefinition definition = task.task().definition();
    List<String> keys = tasks.limits().limits(task.id()).stream().map(TaskLimit::key).toList();
    if (kinds(tasks).isOutdated(keys, definition.kind(), definition.metadata())) {
      update(tasks, task, now);
    }
  }

  private static KindLimits kinds(TaskTable tasks) {
    return new KindLimits(tasks.limits().kinds().values());
  }

  static void update(TaskTable tasks, StoredTask stored, Instant now) {
    Task task = stored.task();
    TaskDefinition definition = task.definition();
    List<TaskLimit> limits =
        kinds(tasks)
            .ofTask(
                TaskLimit.keys(tasks.limits().limits(task.id())),
                definition.rules(),
                definition.kind(),
                definition.metadata());
    tasks.updateLimits(withHold(stored, definition, limits), limits, now);
  }

  /** The task with the hold of tasks that have these limits. */
  static StoredTask withHold(StoredTask stored, TaskDefinition definition, List<TaskLimit> limits) {
    Set<HoldReason> hold = EnumSet.noneOf(HoldReason.class);
    hold.addAll(stored.task().hold());
    hold.remove(HoldReason.LIMITED);
    if (!limits.isEmpty()) {
      hold.add(HoldReason.LIMITED);
    }
    return new StoredTask(
        InMemoryTaskUpdater.with(stored.task(), definition, hold),
        stored.leaseUntil(),
        stored.timesOutAt());
  }
}
