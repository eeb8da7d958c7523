// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What {@link PropagationRound} reads and writes, of one shard and in one transaction.
 *
 * @param <X> what it throws when the database fails
 */
public interface PropagationTables<X extends Exception> {

  /**
   * A task that ended or was revived.
   *
   * @param age how long ago that was
   * @param doneUpTo the dependencies up to and including this child are done; null when none is
   */
  record Event(long number, UUID task, Instant createdAt, Duration age, @Nullable UUID doneUpTo) {}

  /** A run of a batch. */
  record RunKey(UUID batch, int run) {}

  /**
   * A locked task.
   *
   * @param settled true unless its batch may still run again
   */
  record LockedTask(ParentStatus status, RunKey run, boolean settled) {

    boolean isObservedBy(int observer) {
      return (status.observers() & observer) != 0;
    }

    LockedTask with(DependencyCounts counts) {
      return new LockedTask(
          new ParentStatus(status.state(), status.upstreamFailed(), counts, status.observers()),
          run,
          settled);
    }
  }

  /** The outcomes that the dependencies on a task should have. */
  record Demand(
      UUID parent,
      @Nullable DependencyOutcome required,
      @Nullable DependencyOutcome optional,
      @Nullable UUID doneUpTo,
      boolean settled) {}

  /** A dependency with its outcome. */
  record Edge(Dependency dependency, @Nullable DependencyOutcome outcome) {}

  /** New counts of a task; it is released when the states differ. */
  record CountChange(UUID task, TaskState from, TaskState to, DependencyCounts counts) {}

  /** Locks the oldest events that no other transaction has locked. */
  List<Event> takeEvents(int limit) throws X;

  /** Locks these tasks; without those that do not exist or that another transaction has locked. */
  Map<UUID, LockedTask> lock(Collection<UUID> tasks) throws X;

  /** The tasks among these that exist. */
  Set<UUID> existing(Collection<UUID> tasks) throws X;

  /** Dependencies whose outcome differs from the demand; for each parent the first ones. */
  List<Edge> disagreeing(List<Demand> demands, int limit) throws X;

  /**
   * The open dependencies that require success on these tasks, on the waiting tasks that depend on
   * them, and so on.
   */
  List<Dependency> doomed(Collection<UUID> tasks, int limit) throws X;

  /**
   * The live parents of these tasks that are to be canceled because all tasks that depend on them
   * have ended: the parents by child.
   */
  Map<UUID, List<UUID>> deadEnds(Collection<UUID> children, int limit) throws X;

  void setOutcomes(List<Edge> edges) throws X;

  void setCounts(List<CountChange> changes) throws X;

  /** Locks these runs; without those that another transaction has locked. */
  Set<RunKey> lockRuns(Collection<RunKey> runs) throws X;

  /** Adds to the number of tasks that have not ended; the runs are decided anew. */
  void addOpen(Map<RunKey, Integer> deltas) throws X;

  /** Records for tasks whether their run has counted their end; it knows of their last change. */
  void setCounted(Map<UUID, Boolean> counted) throws X;

  void addEvents(Collection<UUID> tasks) throws X;

  void deleteEvents(List<Event> events) throws X;

  /** Moves events to the end of the queue. */
  void postponeEvents(List<Event> events) throws X;
}
