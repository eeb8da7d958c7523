// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a task. Immutable; every change replaces it.
 *
 * @param leaseUntil when a remote worker's lease expires; null for nodes and unleased tasks
 * @param timesOutAt when the running attempt times out unless a heartbeat arrives
 */
record StoredTask(Task task, @Nullable Instant leaseUntil, @Nullable Instant timesOutAt) {

  /** The order in which databases compare ids: bytewise and unsigned. */
  static final Comparator<StoredTask> BY_ID =
      Comparator.comparing(StoredTask::id, IdOrder.BYTEWISE);

  /** The order in which due tasks are claimed. */
  static final Comparator<StoredTask> CLAIM_ORDER =
      Comparator.comparing(StoredTask::claimAt).thenComparing(BY_ID);

  static final Comparator<StoredTask> DUE_ORDER =
      Comparator.comparing(StoredTask::dueAt).thenComparing(BY_ID);

  /** Works because ids increase with time. */
  static final Comparator<StoredTask> NEWEST_FIRST = BY_ID.reversed();

  UUID id() {
    return task.id();
  }

  TaskDefinition definition() {
    return task.definition();
  }

  String kind() {
    return definition().kind();
  }

  String queue() {
    return definition().queueOrKind();
  }

  TaskState state() {
    return task.state();
  }

  Instant dueAt() {
    return task.times().dueAt();
  }

  Instant claimAt() {
    return dueAt().minusSeconds(definition().priority());
  }

  boolean isLeased() {
    return state().isLeased();
  }

  boolean isClaimable() {
    return state().isClaimable() && task.hold().isEmpty();
  }

  /** Returns whether its limits decide when it is claimed, and nothing else holds it back. */
  boolean waitsForLimit() {
    return state().isClaimable() && task.hold().equals(Set.of(HoldReason.LIMITED));
  }

  boolean isDue(Instant now) {
    return isReached(dueAt(), now);
  }

  boolean isInactive(Instant now) {
    return state() == TaskState.RUNNING && isReached(timesOutAt, now);
  }

  boolean isPastDeadline(Instant now) {
    return state().isLive() && isReached(definition().deadline(), now);
  }

  /** Returns when an attempt with a heartbeat now times out, or null if it has no timeout. */
  static @Nullable Instant timesOutAt(TaskDefinition definition, Instant now) {
    Duration timeout = definition.timeout();
    return timeout == null ? null : now.plus(timeout);
  }

  /** Returns whether the instant is now or in the past. */
  static boolean isReached(@Nullable Instant instant, Instant now) {
    return instant != null && !instant.isAfter(now);
  }
}
