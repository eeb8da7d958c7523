// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the model keeps of one task; never changed, only replaced.
 *
 * @param leaseUntil when a remote worker's lease runs out; null for nodes and while nobody holds it
 * @param timesOutAt when the silence of the attempt under way becomes a failure
 */
record StoredTask(Task task, @Nullable Instant leaseUntil, @Nullable Instant timesOutAt) {

  /** As databases compare ids, byte by byte. */
  static final Comparator<UUID> ID_ORDER =
      Comparator.<UUID, Long>comparing(UUID::getMostSignificantBits, Long::compareUnsigned)
          .thenComparing(UUID::getLeastSignificantBits, Long::compareUnsigned);

  static final Comparator<StoredTask> BY_ID = Comparator.comparing(StoredTask::id, ID_ORDER);

  /** The order in which due tasks are claimed. */
  static final Comparator<StoredTask> CLAIM_ORDER =
      Comparator.comparing(StoredTask::claimAt).thenComparing(BY_ID);

  static final Comparator<StoredTask> DUE_ORDER =
      Comparator.comparing(StoredTask::dueAt).thenComparing(BY_ID);

  /** Ids are made in the order of time. */
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

  boolean isHeld() {
    return state().isLeased();
  }

  boolean isClaimable() {
    return state().isClaimable() && task.hold() == 0;
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

  /** When an attempt that is heard of now is silent for too long; null when it may be silent. */
  static @Nullable Instant timesOutAt(TaskDefinition taskDefinition, Instant now) {
    Duration timeout = taskDefinition.timeout();
    return timeout == null ? null : now.plus(timeout);
  }

  /** What is due at noon is due at noon. */
  static boolean isReached(@Nullable Instant instant, Instant now) {
    return instant != null && !instant.isAfter(now);
  }
}
