// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.ScheduleStore.ScheduleContent;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.IllegalTransitionException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Schedules: tasks that are submitted again and again. Each firing happens once, on any number of
 * nodes.
 */
public final class EngineSchedules {

  /** Maximum number of tasks that one firing submits. */
  public static final int MAX_TASKS = 10_000;

  private static final int PAGE = 1_000;

  private final TaskStore store;
  private final TaskSubmitter submitter;
  private final IdGenerator ids;
  private final OperatorCommands commands;
  private final BatchStopper stopper;
  private final Runnable wake;
  private final EngineListener listener;

  EngineSchedules(NodeComponents node, Runnable wake) {
    this.store = node.store;
    this.submitter = node.submitter;
    this.ids = node.ids;
    this.commands = node.operatorCommands;
    this.stopper = node.batchStopper;
    this.wake = wake;
    this.listener = node.listener;
  }

  private ScheduleStore schedules() {
    return store.schedules();
  }

  /**
   * Creates a schedule. Its first firing comes after now.
   *
   * @throws IllegalStateException if there is a schedule with this name
   */
  public Schedule create(String name, Trigger trigger, Batch batch, ScheduleOptions options) {
    ScheduleContent content = content(name, trigger, batch, options);
    UUID id = ids.next(ScheduleStore.shard(name, store.shards()));
    if (!schedules().create(id, content)) {
      throw new IllegalStateException("there is already a schedule named '" + name + "'");
    }
    listener.onSchedulesChanged();
    return require(id);
  }

  private ScheduleContent content(
      String name, Trigger trigger, Batch batch, ScheduleOptions options) {
    requireName(name);
    if (batch.tasks.size() > MAX_TASKS) {
      throw new IllegalArgumentException(
          "tasks: a firing can have at most %d tasks, not %d"
              .formatted(MAX_TASKS, batch.tasks.size()));
    }
    return new ScheduleContent(
        name,
        trigger,
        options.overlap(),
        options.misfire(),
        options.enabled(),
        SubmissionTemplate.of(submitter.submission(batch)).write(),
        options.asGiven());
  }

  /** Throws IllegalArgumentException if there cannot be such a schedule. */
  void requireValid(String name, Trigger trigger, Batch batch, ScheduleOptions options) {
    content(name, trigger, batch, options);
  }

  /** Throws IllegalArgumentException if a schedule cannot have this name. */
  public static void requireName(String name) {
    NewTask.requireText("name", name, NewTask.MAX_NAME_CHARACTERS);
  }

  /**
   * Replaces a schedule. It counts from now, without catching up. Tasks that it has submitted keep
   * what they have.
   *
   * @param version the version that the caller has seen; null for any
   * @throws IllegalStateException if it has another version
   */
  public Schedule update(
      UUID id, Trigger trigger, Batch batch, ScheduleOptions options, @Nullable Long version) {
    return update(id, content(require(id).name(), trigger, batch, options), version);
  }

  /**
   * A schedule that would stay the same goes on as before: its interval does not start anew. One
   * that cannot fire is stored again, in case that helps.
   */
  private Schedule update(UUID id, ScheduleContent content, @Nullable Long version) {
    Schedule before = require(id);
    if ((version == null || version == before.version()) && isSame(before, content)) {
      return before;
    }
    if (!schedules().update(id, content, version)) {
      Schedule found = require(id);
      throw new IllegalStateException(
          "schedule '%s' has changed: it is at version %d"
              .formatted(found.name(), found.version()));
    }
    listener.onSchedulesChanged();
    return require(id);
  }

  /**
   * Changes when and how a schedule fires, but not what it submits. It counts from now, without
   * catching up.
   *
   * @param version the version that the caller has seen; null for any
   * @throws IllegalStateException if it has another version
   */
  public Schedule update(
      UUID id, Trigger trigger, ScheduleOptions options, @Nullable Long version) {
    Schedule found = require(id);
    return update(
        id,
        new ScheduleContent(
            found.name(),
            trigger,
            options.overlap(),
            options.misfire(),
            options.enabled(),
            found.template(),
            found.asGiven()),
        version == null ? (Long) found.version() : version);
  }

  /** Stops firing until {@link #resume}. Pausing a paused schedule changes nothing. */
  public Schedule pause(UUID id) {
    return enable(id, false);
  }

  /** Fires again, from now on, without catching up. */
  public Schedule resume(UUID id) {
    return enable(id, true);
  }

  private Schedule enable(UUID id, boolean enabled) {
    Schedule found = require(id);
    ScheduleOptions options =
        new ScheduleOptions(found.overlap(), found.misfire(), enabled, found.asGiven());
    return update(id, found.trigger(), options, found.version());
  }

  /**
   * Fires now, also while the schedule is paused or busy. The next firing stays as planned.
   *
   * @return the batch that it submitted
   * @throws IllegalStateException if live tasks have the dedupe keys of all its tasks
   */
  public UUID trigger(UUID id) {
    Firing firing =
        Scheduler.fireNow(schedules(), id, ids, listener).orElseThrow(() -> unknown(id)).getFirst();
    wake.run();
    if (firing.batch() == null) {
      throw new IllegalStateException(
          "nothing was submitted: live tasks have the dedupe keys of all tasks of the schedule");
    }
    return firing.batch();
  }

  /**
   * Deletes a schedule and stops its batches, also those that it submits meanwhile.
   *
   * @return how many tasks and waiting batches it canceled
   */
  public int delete(UUID id) {
    require(id);
    int canceled = stopBatches(id);
    schedules().delete(id);
    listener.onSchedulesChanged();
    return canceled + stopBatches(id);
  }

  /** Stops the batches that have live tasks or may run again; children end before their parents. */
  private int stopBatches(UUID id) {
    int canceled = stop(id, false);
    for (List<UUID> page : pages(from -> schedules().liveTasks(id, from, PAGE))) {
      Set<UUID> batches = new LinkedHashSet<>();
      store.reader().findAll(page).forEach(task -> batches.add(task.batch()));
      for (UUID batch : batches) {
        canceled += stop(batch);
      }
    }
    return canceled;
  }

  /**
   * Cancels the retries under way: tasks of the schedule that have failed before, and batches that
   * wait for their next run. The schedule goes on.
   *
   * @param task only this one; null for all
   * @return how many it canceled
   */
  public int cancelRetries(UUID id, @Nullable UUID task) {
    require(id);
    if (task != null) {
      return cancelRetries(
          schedules().liveTasks(id, task, 1).stream().filter(task::equals).toList());
    }
    int canceled = 0;
    for (List<UUID> page : pages(from -> schedules().liveTasks(id, from, PAGE))) {
      canceled += cancelRetries(page);
    }
    return canceled + stop(id, true);
  }

  private int cancelRetries(List<UUID> tasks) {
    int canceled = 0;
    for (Task task : store.reader().findAll(tasks).reversed()) {
      canceled += isRetry(task) && cancel(task) ? 1 : 0;
    }
    return canceled;
  }

  /** Returns how many tasks it canceled, and batches that had none because they waited. */
  private int stop(UUID schedule, boolean waiting) {
    int canceled = 0;
    for (List<UUID> page :
        pages(from -> schedules().unfinishedBatches(schedule, waiting, from, PAGE))) {
      for (UUID batch : page) {
        canceled += isStopped(batch) ? 0 : Math.max(1, stop(batch));
      }
    }
    return canceled;
  }

  private boolean isStopped(UUID batch) {
    return store.batches().find(batch).map(found -> found.stoppedAt() != null).orElse(true);
  }

  private int stop(UUID batch) {
    try {
      BatchStopResult stopped = stopper.stop(batch);
      return (int) Stream.of(DisplayStatus.values()).mapToLong(stopped::canceled).sum();
    } catch (NoSuchElementException deleted) {
      return 0;
    }
  }

  /**
   * Ids in pages that are read one after the other.
   *
   * @param read gets the smallest id of a page, which is the last of the one before; null at first
   */
  private static Iterable<List<UUID>> pages(Function<@Nullable UUID, List<UUID>> read) {
    return () ->
        Stream.iterate(
                read.apply(null),
                page -> !page.isEmpty(),
                page -> page.size() < PAGE ? List.of() : after(page.getLast(), read))
            .iterator();
  }

  private static List<UUID> after(UUID last, Function<@Nullable UUID, List<UUID>> read) {
    return read.apply(last).stream().filter(id -> !id.equals(last)).toList();
  }

  /** Batches that have failed and will run again. */
  public List<BatchSummary> waitingRuns(UUID id, int limit) {
    return schedules().unfinishedBatches(id, true, null, limit).stream()
        .flatMap(batch -> store.batches().find(batch).stream())
        .filter(batch -> batch.stoppedAt() == null)
        .toList();
  }

  /** Returns false if the task has ended meanwhile. */
  private boolean cancel(Task task) {
    try {
      commands.cancel(task.id());
      return true;
    } catch (IllegalTransitionException | NoSuchElementException ended) {
      return false;
    }
  }

  public Optional<Schedule> find(UUID id) {
    return schedules().find(id);
  }

  public Optional<Schedule> findByName(String name) {
    return schedules().findByName(name);
  }

  /** Schedules in the order of their names, after this one; empty to begin. */
  public List<Schedule> list(String after, int limit) {
    return schedules().list(after, limit);
  }

  /** The last firings, newest first; at most {@link ScheduleStore#MAX_KEPT}. */
  public List<Firing> firings(UUID id, int limit) {
    return schedules().firings(id, limit);
  }

  /** What the schedule submits each time. */
  public List<TaskDefinition> tasks(Schedule schedule) {
    return SubmissionTemplate.read(schedule.template()).tasks().stream()
        .map(SubmissionTemplate.TaskTemplate::definition)
        .toList();
  }

  /**
   * The live tasks of the schedule that have failed before: the retries under way.
   *
   * @param maxTasks how many live tasks to look at, the oldest first
   */
  public List<Task> retriesUnderWay(UUID id, int maxTasks) {
    return store.reader().findAll(schedules().liveTasks(id, maxTasks)).stream()
        .filter(EngineSchedules::isRetry)
        .toList();
  }

  private static boolean isRetry(Task task) {
    return task.retryCounters().attempt() > 0;
  }

  /**
   * Creates the schedule, or changes it if it is different. A schedule that an operator has paused
   * stays paused.
   */
  Schedule declare(String name, Trigger trigger, Batch batch, ScheduleOptions options) {
    Schedule found = findByName(name).orElse(null);
    if (found == null) {
      return create(name, trigger, batch, options);
    }
    ScheduleContent content = content(name, trigger, batch, options.withEnabled(found.enabled()));
    return update(found.id(), content, found.version());
  }

  private static boolean isSame(Schedule found, ScheduleContent content) {
    return found.problem() == null
        && content.firesLike(found)
        && SubmissionTemplate.isSame(found.template(), content.template())
        && Objects.equals(found.asGiven(), content.asGiven());
  }

  /**
   * Deletes all schedules except those with these names, for an application that owns all schedules
   * of its database.
   *
   * @return the names of those that it deleted
   */
  public List<String> deleteAllExcept(Set<String> names) {
    List<String> deleted = new ArrayList<>();
    String after = "";
    List<Schedule> page;
    do {
      page = list(after, PAGE);
      for (Schedule schedule : page) {
        if (!names.contains(schedule.name())) {
          delete(schedule.id());
          deleted.add(schedule.name());
        }
        after = schedule.name();
      }
    } while (page.size() == PAGE);
    return deleted;
  }

  private Schedule require(UUID id) {
    return find(id).orElseThrow(() -> unknown(id));
  }

  private static NoSuchElementException unknown(UUID id) {
    return new NoSuchElementException("there is no schedule " + id);
  }
}
