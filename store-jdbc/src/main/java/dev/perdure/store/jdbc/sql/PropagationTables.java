// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.TaskState;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What {@link PropagationRound} reads and writes, of one shard and in one transaction. */
public interface PropagationTables {

  /**
   * A task that ended or was revived.
   *
   * @param age how long ago that was
   * @param doneUpTo the dependencies up to and including this child are done; null when none is
   */
  record Event(long number, UUID task, Instant createdAt, Duration age, @Nullable UUID doneUpTo) {}

  /**
   * A locked task.
   *
   * @param observed true when others must learn of its end
   */
  record LockedTask(ParentStatus status, boolean observed) {}

  /** The outcomes that the dependencies on a task should have. */
  record Demand(
      UUID parent,
      @Nullable DependencyOutcome required,
      @Nullable DependencyOutcome optional,
      @Nullable UUID doneUpTo) {}

  /** A dependency with its outcome. */
  record Edge(Dependency dependency, @Nullable DependencyOutcome outcome) {}

  /** New counts of a task; it is released when the states differ. */
  record CountChange(UUID task, TaskState from, TaskState to, DependencyCounts counts) {}

  /** Locks the oldest events that no other transaction has locked. */
  List<Event> takeEvents(int limit) throws SQLException;

  /** Locks these tasks; without those that do not exist or that another transaction has locked. */
  Map<UUID, LockedTask> lock(Collection<UUID> tasks) throws SQLException;

  /** The tasks among these that exist. */
  Set<UUID> existing(Collection<UUID> tasks) throws SQLException;

  /** Dependencies whose outcome differs from the demand; for each parent the first ones. */
  List<Edge> disagreeing(List<Demand> demands, int limit) throws SQLException;

  /**
   * The open dependencies that require success on these tasks, on the waiting tasks that depend on
   * them, and so on.
   */
  List<Dependency> doomed(Collection<UUID> tasks, int limit) throws SQLException;

  void setOutcomes(List<Edge> edges) throws SQLException;

  void setCounts(List<CountChange> changes) throws SQLException;

  void addEvents(Collection<UUID> tasks) throws SQLException;

  void deleteEvents(List<Event> events) throws SQLException;

  /** Moves events to the end of the queue. */
  void postponeEvents(List<Event> events) throws SQLException;
}
