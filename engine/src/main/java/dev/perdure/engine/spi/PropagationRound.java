// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.spi.DependencyStore.Propagation;
import dev.perdure.engine.spi.PropagationTables.CountChange;
import dev.perdure.engine.spi.PropagationTables.Demand;
import dev.perdure.engine.spi.PropagationTables.Edge;
import dev.perdure.engine.spi.PropagationTables.Event;
import dev.perdure.engine.spi.PropagationTables.LockedTask;
import dev.perdure.engine.spi.PropagationTables.RunKey;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.TaskState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One transaction that makes dependencies agree with their parents.
 *
 * <p>All rows it writes are locked first, the parents too: a parent that changed between the look
 * at its state and the write of its dependencies would have recorded an event that another node
 * could have handled in between, and the dependencies would stay wrong. Locks are never waited for:
 * what another transaction holds is left to a later round, so there is no deadlock with
 * settlements, submissions or other rounds.
 *
 * <p>A task that will fail because of a parent passes that on in the same round, along the whole
 * chain. A revive goes one level per round.
 *
 * @param <X> what the tables throw when the database fails
 */
public final class PropagationRound<X extends Exception> {

  private final PropagationTables<X> tables;
  private final int limit;
  private final Map<UUID, LockedTask> locked = new HashMap<>();
  private final Set<UUID> demanded = new HashSet<>();
  private final Map<UUID, DependencyCounts> countsBefore = new LinkedHashMap<>();
  private final List<Edge> changes = new ArrayList<>();
  private final Set<UUID> parentsWithSkipped = new HashSet<>();
  private final Map<UUID, UUID> lastChildByParent = new HashMap<>();
  private final Set<UUID> notDone = new HashSet<>();

  public PropagationRound(PropagationTables<X> tables, int limit) {
    this.tables = tables;
    this.limit = limit;
  }

  public Propagation run() throws X {
    // Fewer than the limit, so that events with one or two dependents are done in one round.
    List<Event> events = tables.takeEvents(Math.max(1, limit / 2));
    if (events.isEmpty()) {
      return Propagation.NONE;
    }
    Set<UUID> tasks = new LinkedHashSet<>();
    events.forEach(event -> tasks.add(event.task()));
    lock(tasks);
    List<Demand> demands = demands(events);
    demands.forEach(demand -> demanded.add(demand.parent()));
    lock(children(tables.disagreeing(demands, limit + 1)));
    // Again, because children can have changed until they were locked; from now on they cannot.
    List<Edge> found = tables.disagreeing(demands, limit + 1);
    boolean limited = found.size() > limit;
    List<Edge> direct = limited ? found.subList(0, limit) : found;
    direct.forEach(this::applyDemand);
    tables.setOutcomes(changes);
    if (direct.size() < limit) {
      applyDoomed(limit - direct.size());
    }
    int released = writeCounts();
    countEnds(tasks);
    Set<UUID> deadEnds = deadEnds(tasks);
    Collection<UUID> undecided = addEvents();
    int done = finish(events, limited);
    undecided.addAll(tasks.stream().filter(this::needsDecision).toList());
    return new Propagation(
        done,
        changes.size(),
        released,
        List.copyOf(undecided),
        List.copyOf(deadEnds),
        events.getFirst().age());
  }

  private void lock(Collection<UUID> tasks) throws X {
    List<UUID> more = tasks.stream().filter(task -> !locked.containsKey(task)).distinct().toList();
    if (!more.isEmpty()) {
      locked.putAll(tables.lock(more));
    }
  }

  /** One demand per task; several events of one task are handled as one, from the first child. */
  private List<Demand> demands(List<Event> events) {
    Map<UUID, Demand> demands = new LinkedHashMap<>();
    for (Event event : events) {
      LockedTask task = locked.get(event.task());
      if (task != null) {
        Demand earlier = demands.get(event.task());
        demands.put(
            event.task(),
            new Demand(
                event.task(),
                task.status().outcomeFor(true, null),
                task.status().outcomeFor(false, null),
                earlier == null ? event.doneUpTo() : null,
                task.settled()));
      }
    }
    return List.copyOf(demands.values());
  }

  private void applyDemand(Edge edge) {
    Dependency dependency = edge.dependency();
    LockedTask parent = locked.get(dependency.parent());
    lastChildByParent.put(dependency.parent(), dependency.child());
    if (parent == null || !locked.containsKey(dependency.child())) {
      parentsWithSkipped.add(dependency.parent());
      return;
    }
    DependencyOutcome outcome =
        parent.status().outcomeFor(dependency.requiresSuccess(), edge.outcome());
    if (outcome != edge.outcome()) { // Unless this round has changed the parent itself.
      change(edge, outcome);
    }
  }

  private void applyDoomed(int room) throws X {
    List<UUID> doomed =
        countsBefore.keySet().stream().filter(task -> status(task).mustFail()).toList();
    if (doomed.isEmpty()) {
      return;
    }
    lock(tables.doomed(doomed, room).stream().map(Dependency::child).toList());
    int direct = changes.size();
    for (Dependency dependency : tables.doomed(doomed, room)) {
      // What is left out here follows with the event of the parent.
      if (locked.containsKey(dependency.parent())
          && locked.containsKey(dependency.child())
          && status(dependency.parent()).mustFail()) {
        change(new Edge(dependency, null), DependencyOutcome.FAILED);
      }
    }
    tables.setOutcomes(changes.subList(direct, changes.size()));
  }

  private static List<UUID> children(List<Edge> edges) {
    return edges.stream().map(edge -> edge.dependency().child()).toList();
  }

  private ParentStatus status(UUID task) {
    return lockedTask(task).status();
  }

  private LockedTask lockedTask(UUID task) {
    LockedTask found = locked.get(task);
    if (found == null) {
      throw new IllegalStateException("task " + task + " is not locked");
    }
    return found;
  }

  private void change(Edge edge, @Nullable DependencyOutcome outcome) {
    Dependency dependency = edge.dependency();
    boolean required = dependency.requiresSuccess();
    UUID child = dependency.child();
    ParentStatus before = status(child);
    DependencyCounts counts =
        new DependencyCounts(
            before.counts().unmet() + unmet(required, outcome) - unmet(required, edge.outcome()),
            before.counts().failed()
                + failed(required, outcome)
                - failed(required, edge.outcome()));
    changes.add(new Edge(dependency, outcome));
    countsBefore.putIfAbsent(child, before.counts());
    locked.put(child, lockedTask(child).with(counts));
  }

  private static int unmet(boolean required, @Nullable DependencyOutcome outcome) {
    return DependencyOutcome.satisfies(outcome, required) ? 0 : 1;
  }

  private static int failed(boolean required, @Nullable DependencyOutcome outcome) {
    return required && outcome == DependencyOutcome.FAILED ? 1 : 0;
  }

  /** Returns how many tasks are released. */
  private int writeCounts() throws X {
    List<CountChange> counts = new ArrayList<>();
    int released = 0;
    for (UUID task : new TreeMap<>(countsBefore).keySet()) {
      ParentStatus status = status(task);
      boolean ready = status.state() == TaskState.WAITING && status.counts().unmet() == 0;
      released += ready ? 1 : 0;
      counts.add(
          new CountChange(
              task, status.state(), ready ? TaskState.PENDING : status.state(), status.counts()));
    }
    tables.setCounts(counts);
    return released;
  }

  private Set<UUID> deadEnds(Collection<UUID> tasks) throws X {
    List<UUID> ended =
        tasks.stream()
            .filter(locked::containsKey)
            .filter(task -> lockedTask(task).isObservedBy(Observers.PARENT_DEAD_END))
            .filter(task -> status(task).state().isTerminal())
            .toList();
    Set<UUID> found = new LinkedHashSet<>();
    if (ended.isEmpty()) {
      return found;
    }
    Map<UUID, List<UUID>> parentsByChild = tables.deadEnds(ended, limit);
    notDone.addAll(parentsByChild.keySet());
    parentsByChild.values().forEach(found::addAll);
    if (parentsByChild.values().stream().mapToInt(List::size).sum() >= limit) {
      notDone.addAll(ended); // Parents of any of them may be missing.
    }
    return found;
  }

  /** Tells the runs of batches which of their tasks have ended, or live again. */
  private void countEnds(Collection<UUID> tasks) throws X {
    List<UUID> ofRuns =
        tasks.stream()
            .filter(locked::containsKey)
            .filter(task -> lockedTask(task).isObservedBy(Observers.RUN))
            .toList();
    if (ofRuns.isEmpty()) {
      return;
    }
    Set<RunKey> runs = new HashSet<>();
    ofRuns.forEach(task -> runs.add(lockedTask(task).run()));
    Set<RunKey> lockedRuns = tables.lockRuns(runs);
    Map<UUID, Boolean> counted = new LinkedHashMap<>();
    Map<RunKey, Integer> deltas = new HashMap<>();
    for (UUID task : ofRuns) {
      LockedTask found = lockedTask(task);
      boolean ended = found.status().state().isTerminal();
      boolean counts = ended != found.isObservedBy(Observers.COUNTED);
      if (!lockedRuns.contains(found.run())) {
        notDone.add(task);
      } else if (counts || found.isObservedBy(Observers.CHANGED)) {
        counted.put(task, ended);
        deltas.merge(found.run(), counts ? (ended ? -1 : 1) : 0, Integer::sum);
      }
    }
    tables.addOpen(deltas);
    tables.setCounted(counted);
  }

  /** Returns the tasks to decide about because of this round. */
  private Collection<UUID> addEvents() throws X {
    Set<UUID> flipped = new LinkedHashSet<>();
    Set<UUID> undecided = new LinkedHashSet<>();
    for (Map.Entry<UUID, DependencyCounts> entry : countsBefore.entrySet()) {
      UUID task = entry.getKey();
      boolean failed = status(task).counts().failed() > 0;
      if (failed != entry.getValue().failed() > 0) {
        if (needsDecision(task)) {
          undecided.add(task);
        }
        if (needsDecision(task) || lockedTask(task).isObservedBy(Observers.CHILDREN)) {
          flipped.add(task);
        }
      }
    }
    tables.addEvents(flipped);
    return undecided;
  }

  private boolean needsDecision(UUID task) {
    LockedTask found = locked.get(task);
    return found != null && found.status().needsDecision();
  }

  /** Returns how many events are done. */
  private int finish(List<Event> events, boolean limited) throws X {
    List<Event> postponed = new ArrayList<>();
    Set<UUID> gone = gone(events);
    for (Event event : events) {
      UUID task = event.task();
      boolean inPart = limited || parentsWithSkipped.contains(task) || notDone.contains(task);
      // Not whether it is locked: a task that was not at first can be by now, as a child.
      if (!gone.contains(task) && (!demanded.contains(task) || inPart || needsDecision(task))) {
        postponed.add(
            new Event(
                event.number(), task, event.createdAt(), event.age(), doneUpTo(event, limited)));
      }
    }
    tables.deleteEvents(events);
    tables.postponeEvents(postponed);
    return events.size() - postponed.size();
  }

  private @Nullable UUID doneUpTo(Event event, boolean limited) {
    UUID last = lastChildByParent.get(event.task());
    return !limited || last == null || parentsWithSkipped.contains(event.task())
        ? event.doneUpTo()
        : last;
  }

  private Set<UUID> gone(List<Event> events) throws X {
    List<UUID> missing =
        events.stream()
            .map(Event::task)
            .filter(task -> !locked.containsKey(task))
            .distinct()
            .toList();
    Set<UUID> gone = new HashSet<>(missing);
    if (!missing.isEmpty()) {
      gone.removeAll(tables.existing(missing));
    }
    return gone;
  }
}
