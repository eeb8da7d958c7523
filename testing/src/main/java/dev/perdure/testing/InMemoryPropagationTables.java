// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.Observers;
import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.spi.PropagationTables;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import dev.perdure.testing.DependencyTable.PropagationEvent;
import dev.perdure.testing.DependencyTable.StoredDependency;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tables of all shards, under the lock of the database. This store looks at the tasks of a run
 * and keeps no number of the open ones, so a round has no runs to update.
 */
final class InMemoryPropagationTables implements PropagationTables<RuntimeException> {

  private final TaskTable tasks;
  private final Instant now;
  private final Map<UUID, @Nullable TaskState> statesAtEvent = new HashMap<>();

  InMemoryPropagationTables(TaskTable tasks, Instant now) {
    this.tasks = tasks;
    this.now = now;
  }

  @Override
  public List<Event> takeEvents(int limit) {
    List<PropagationEvent> taken =
        tasks.dependencies().events().stream()
            .filter(event -> !tasks.rules().isLocked(event.task()))
            .limit(limit)
            .toList();
    taken.forEach(event -> statesAtEvent.put(event.task(), event.state()));
    return taken.stream().map(this::event).toList();
  }

  private Event event(PropagationEvent event) {
    return new Event(
        event.number(),
        event.task(),
        event.at(),
        Duration.between(event.at(), now),
        event.doneUpTo());
  }

  @Override
  public Map<UUID, LockedTask> lock(Collection<UUID> ids) {
    Map<UUID, LockedTask> locked = new HashMap<>();
    for (UUID id : ids) {
      StoredTask stored = tasks.find(id);
      if (stored != null && !tasks.rules().isLocked(id)) {
        locked.put(id, locked(stored.task()));
      }
    }
    return locked;
  }

  private LockedTask locked(Task task) {
    ParentStatus status = tasks.rules().status(task, statesAtEvent.get(task.id()));
    ParentStatus observed =
        new ParentStatus(status.state(), status.upstreamFailed(), status.counts(), observers(task));
    boolean superseded = task.run() < tasks.runs().current(task.batch());
    return new LockedTask(
        superseded ? observed.ofEarlierRun() : observed,
        new RunKey(task.batch(), task.run()),
        tasks.rules().countsForOtherBatches(isSettled(task)));
  }

  /** Only a batch with a retry policy has to be final before its tasks count for others. */
  private boolean isSettled(Task task) {
    return tasks.definition(task.batch()).policy() == null
        || tasks.runs().isSettled(task.batch(), task.run());
  }

  private int observers(Task task) {
    int children = tasks.dependencies().hasChildren(task.id()) ? Observers.CHILDREN : 0;
    return (tasks.observers(task.id()) & ~Observers.RUN) | children;
  }

  @Override
  public Set<UUID> existing(Collection<UUID> ids) {
    return ids.stream().filter(id -> tasks.find(id) != null).collect(Collectors.toSet());
  }

  @Override
  public List<Edge> disagreeing(List<Demand> demands, int limit) {
    return demands.stream().flatMap(this::disagreeing).limit(limit).toList();
  }

  private Stream<Edge> disagreeing(Demand demand) {
    UUID doneUpTo = demand.doneUpTo();
    return tasks.dependencies().onParent(demand.parent()).stream()
        .filter(stored -> demand.settled() || !stored.deferred())
        .filter(
            stored ->
                doneUpTo == null
                    || IdOrder.BYTEWISE.compare(stored.dependency().child(), doneUpTo) > 0)
        .filter(stored -> disagrees(stored, demand))
        .map(stored -> new Edge(stored.dependency(), stored.outcome()));
  }

  private static boolean disagrees(StoredDependency stored, Demand demand) {
    return stored.dependency().requiresSuccess()
        ? stored.outcome() != DependencyOutcome.WAIVED && stored.outcome() != demand.required()
        : stored.outcome() == null && demand.optional() != null;
  }

  @Override
  public List<Dependency> doomed(Collection<UUID> ids, int limit) {
    Set<Dependency> found = new LinkedHashSet<>();
    Deque<UUID> reached = new ArrayDeque<>(ids);
    while (!reached.isEmpty()) {
      for (StoredDependency stored : tasks.dependencies().onParent(reached.poll())) {
        Dependency dependency = stored.dependency();
        boolean open = stored.outcome() == null && !stored.deferred();
        if (open && dependency.requiresSuccess() && found.add(dependency)) {
          StoredTask child = tasks.find(dependency.child());
          if (child != null && child.state() == TaskState.WAITING) {
            reached.add(child.id());
          }
        }
      }
    }
    return found.stream().limit(limit).toList();
  }

  @Override
  public Map<UUID, List<UUID>> deadEnds(Collection<UUID> children, int limit) {
    Map<UUID, List<UUID>> found = new LinkedHashMap<>();
    for (UUID child : children) {
      List<UUID> parents =
          tasks.dependencies().ofChild(child).stream()
              .map(stored -> stored.dependency().parent())
              .filter(this::isDeadEnd)
              .toList();
      if (!parents.isEmpty() && found.size() < limit) {
        found.put(child, parents);
      }
    }
    return found;
  }

  private boolean isDeadEnd(UUID task) {
    return (tasks.observers(task) & Observers.DEAD_END) != 0
        && isLive(task)
        && tasks.dependencies().onParent(task).stream()
            .noneMatch(stored -> isLive(stored.dependency().child()));
  }

  private boolean isLive(UUID id) {
    StoredTask task = tasks.find(id);
    return task != null && task.state().isLive();
  }

  @Override
  public void setOutcomes(List<Edge> edges) {
    edges.forEach(edge -> tasks.dependencies().setOutcome(edge.dependency(), edge.outcome()));
  }

  @Override
  public void setCounts(List<CountChange> changes) {
    for (CountChange change : changes) {
      StoredTask stored = tasks.existing(change.task());
      if (tasks.rules().reaches(stored.task())) {
        StoredTask after =
            new StoredTask(with(stored.task(), change), stored.leaseUntil(), stored.timesOutAt());
        tasks.put(after);
        if (after.waitsForLimit() && !stored.waitsForLimit()) {
          tasks.limits().changed(after, 0, now);
        }
      }
    }
  }

  private Task with(Task task, CountChange change) {
    TaskState state = tasks.rules().stateAfter(change, task.dependencies());
    return new Task(
        task.id(),
        task.batch(),
        task.run(),
        task.definition(),
        state,
        task.hold(),
        task.epoch(),
        task.worker(),
        task.handleEpoch(),
        task.cancelAction(),
        task.retryCounters(),
        state == task.state() ? task.times() : released(task.times()),
        task.progress(),
        task.lastResult(),
        change.counts());
  }

  /** The task is due now, unless it was submitted for later. */
  private TaskTimes released(TaskTimes times) {
    Instant due = times.dueAt().isAfter(now) ? times.dueAt() : now;
    return new TaskTimes(times.createdAt(), due, due, times.startedAt(), times.endedAt(), now);
  }

  @Override
  public Set<RunKey> lockRuns(Collection<RunKey> runs) {
    return Set.of();
  }

  @Override
  public void addOpen(Map<RunKey, Integer> deltas) {}

  @Override
  public void setCounted(Map<UUID, Boolean> counted) {}

  @Override
  public void addEvents(Collection<UUID> ids) {
    ids.forEach(id -> tasks.dependencies().addEvent(id, now, null, null));
  }

  @Override
  public void deleteEvents(List<Event> events) {
    Set<Long> numbers = events.stream().map(Event::number).collect(Collectors.toSet());
    tasks.dependencies().events().removeIf(event -> numbers.contains(event.number()));
  }

  @Override
  public void postponeEvents(List<Event> events) {
    for (Event event : events) {
      TaskState state = statesAtEvent.get(event.task());
      tasks.dependencies().addEvent(event.task(), event.createdAt(), state, event.doneUpTo());
    }
  }
}
