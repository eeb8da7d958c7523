// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.DependencyStore;
import dev.perdure.engine.spi.Observers;
import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import dev.perdure.testing.DependencyTable.PropagationEvent;
import dev.perdure.testing.DependencyTable.StoredDependency;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Propagates the ends of tasks in memory. */
final class InMemoryDependencyStore implements DependencyStore {

  private final InMemoryDatabase database;

  InMemoryDependencyStore(InMemoryDatabase database) {
    this.database = database;
  }

  @Override
  public Propagation propagate(int limit) {
    synchronized (database) {
      return new Round(database.tasks, database.now(), limit).run();
    }
  }

  /** One call. */
  private static final class Round {

    private final TaskTable tasks;
    private final Instant now;
    private final int limit;
    private final Set<UUID> undecided = new LinkedHashSet<>();
    private final Set<UUID> deadEnds = new LinkedHashSet<>();
    private int done;
    private int changed;
    private int released;

    Round(TaskTable tasks, Instant now, int limit) {
      this.tasks = tasks;
      this.now = now;
      this.limit = limit;
    }

    Propagation run() {
      Deque<PropagationEvent> events = tasks.dependencies().events();
      Instant oldest = events.isEmpty() ? null : events.peekFirst().at();
      Deque<PropagationEvent> kept = new ArrayDeque<>();
      for (PropagationEvent event = events.poll(); event != null; event = events.poll()) {
        if (tasks.rules().finds(event.task(), event.state()) && propagate(event)) {
          done++;
        } else {
          kept.add(event);
        }
        if (changed >= limit) {
          break;
        }
      }
      events.addAll(kept);
      return new Propagation(
          done, changed, released, List.copyOf(undecided), List.copyOf(deadEnds), lag(oldest));
    }

    private @Nullable Duration lag(@Nullable Instant oldest) {
      return oldest == null ? null : Duration.between(oldest, now);
    }

    /** Returns false when the event is not done. */
    private boolean propagate(PropagationEvent event) {
      UUID id = event.task();
      StoredTask parent = tasks.find(id);
      if (parent == null) {
        return true;
      }
      ParentStatus status =
          lasting(parent.task(), tasks.rules().status(parent.task(), event.state()));
      boolean settled =
          tasks
              .rules()
              .countsForOtherBatches(
                  tasks.runs().isSettled(parent.task().batch(), parent.task().run()));
      for (StoredDependency stored : tasks.dependencies().onParent(id)) {
        DependencyOutcome outcome =
            status.outcomeFor(stored.dependency().requiresSuccess(), stored.outcome());
        if (outcome != stored.outcome() && (settled || !stored.deferred())) {
          if (changed >= limit) {
            return false;
          }
          change(stored, outcome);
        }
      }
      if (status.needsDecision()) {
        undecided.add(id);
      }
      boolean leavesDeadEnds =
          status.state().isTerminal()
              && (tasks.observers(id) & Observers.PARENT_DEAD_END) != 0
              && addDeadEnds(id);
      return !status.needsDecision() && !leavesDeadEnds;
    }

    /** A task of an earlier run stays as it is, whatever becomes of its parents. */
    private ParentStatus lasting(Task task, ParentStatus status) {
      return task.run() < tasks.runs().current(task.batch()) ? status.ofEarlierRun() : status;
    }

    /** Returns whether the task has a live parent all of whose children have ended. */
    private boolean addDeadEnds(UUID child) {
      List<UUID> found =
          tasks.dependencies().ofChild(child).stream()
              .map(stored -> stored.dependency().parent())
              .filter(parent -> (tasks.observers(parent) & Observers.DEAD_END) != 0)
              .filter(parent -> isLive(parent))
              .filter(
                  parent ->
                      tasks.dependencies().onParent(parent).stream()
                          .noneMatch(stored -> isLive(stored.dependency().child())))
              .toList();
      deadEnds.addAll(found);
      return !found.isEmpty();
    }

    private boolean isLive(UUID id) {
      StoredTask task = tasks.find(id);
      return task != null && task.state().isLive();
    }

    private void change(StoredDependency stored, @Nullable DependencyOutcome outcome) {
      changed++;
      tasks.dependencies().put(stored.dependency(), outcome, stored.deferred());
      StoredTask child = tasks.find(stored.dependency().child());
      if (child == null || !tasks.rules().reaches(child.task())) {
        return;
      }
      boolean required = stored.dependency().requiresSuccess();
      DependencyCounts before = child.task().dependencies();
      DependencyCounts after =
          new DependencyCounts(
              before.unmet() + unmet(required, outcome) - unmet(required, stored.outcome()),
              before.failed() + failed(required, outcome) - failed(required, stored.outcome()));
      tasks.put(new StoredTask(with(child.task(), after), child.leaseUntil(), child.timesOutAt()));
      if ((before.failed() > 0) != (after.failed() > 0)) {
        tasks.dependencies().events().add(new PropagationEvent(child.id(), now));
      }
    }

    private static int unmet(boolean required, @Nullable DependencyOutcome outcome) {
      return DependencyOutcome.satisfies(outcome, required) ? 0 : 1;
    }

    private static int failed(boolean required, @Nullable DependencyOutcome outcome) {
      return required && outcome == DependencyOutcome.FAILED ? 1 : 0;
    }

    private Task with(Task task, DependencyCounts counts) {
      boolean ready =
          task.state() == TaskState.WAITING && tasks.rules().releases(task.dependencies(), counts);
      released += ready ? 1 : 0;
      return new Task(
          task.id(),
          task.batch(),
          task.run(),
          task.definition(),
          ready ? TaskState.PENDING : task.state(),
          task.hold(),
          task.epoch(),
          task.worker(),
          task.handleEpoch(),
          task.cancelAction(),
          task.retryCounters(),
          ready ? released(task.times()) : task.times(),
          task.progress(),
          task.lastResult(),
          counts);
    }

    /** The task is due now, unless it was submitted for later. */
    private TaskTimes released(TaskTimes times) {
      Instant due = times.dueAt().isAfter(now) ? times.dueAt() : now;
      return new TaskTimes(times.createdAt(), due, due, times.startedAt(), times.endedAt(), now);
    }
  }
}
