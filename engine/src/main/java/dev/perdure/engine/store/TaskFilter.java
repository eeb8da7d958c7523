// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.store;

import dev.perdure.engine.task.EndReason;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks; everything that is named must hold.
 *
 * @param states any of these; empty means any state
 * @param hold at least one of these bits of {@link dev.perdure.engine.task.Hold}; 0 means any
 * @param nameContains part of the name, in any case
 * @param dueWithin due no later than this from now
 */
public record TaskFilter(
    Set<TaskState> states,
    int hold,
    @Nullable String kind,
    @Nullable String nameContains,
    @Nullable UUID batch,
    @Nullable String failureKind,
    @Nullable EndReason giveUpReason,
    @Nullable Instant createdAfter,
    @Nullable Instant createdBefore,
    @Nullable Duration dueWithin) {

  public TaskFilter {
    states = Set.copyOf(states);
  }

  public static TaskFilter all() {
    return new TaskFilter(Set.of(), 0, null, null, null, null, null, null, null, null);
  }

  public static TaskFilter in(TaskState first, TaskState... others) {
    return all().withStates(EnumSet.of(first, others));
  }

  public TaskFilter withStates(Set<TaskState> value) {
    return new TaskFilter(
        value,
        hold,
        kind,
        nameContains,
        batch,
        failureKind,
        giveUpReason,
        createdAfter,
        createdBefore,
        dueWithin);
  }

  public TaskFilter withHold(int value) {
    return new TaskFilter(
        states,
        value,
        kind,
        nameContains,
        batch,
        failureKind,
        giveUpReason,
        createdAfter,
        createdBefore,
        dueWithin);
  }

  public TaskFilter withKind(@Nullable String value) {
    return new TaskFilter(
        states,
        hold,
        value,
        nameContains,
        batch,
        failureKind,
        giveUpReason,
        createdAfter,
        createdBefore,
        dueWithin);
  }

  public TaskFilter withBatch(@Nullable UUID value) {
    return new TaskFilter(
        states,
        hold,
        kind,
        nameContains,
        value,
        failureKind,
        giveUpReason,
        createdAfter,
        createdBefore,
        dueWithin);
  }

  public TaskFilter withDueWithin(@Nullable Duration value) {
    return new TaskFilter(
        states,
        hold,
        kind,
        nameContains,
        batch,
        failureKind,
        giveUpReason,
        createdAfter,
        createdBefore,
        value);
  }
}
