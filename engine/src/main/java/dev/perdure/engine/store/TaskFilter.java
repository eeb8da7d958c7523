// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.store;

import dev.perdure.engine.task.EndReason;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks; everything that is named must hold.
 *
 * @param states any of these; empty means any state
 * @param hold at least one of these bits of {@link dev.perdure.engine.task.Hold}; 0 means any
 * @param nameContains part of the name, in any case
 * @param strategy the policy's backoff in one word
 * @param createdAfter submitted after this instant
 * @param createdBefore submitted before this instant
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
    @Nullable String strategy,
    @Nullable Instant createdAfter,
    @Nullable Instant createdBefore,
    @Nullable Duration dueWithin) {

  public TaskFilter {
    states = Set.copyOf(states);
  }

  public static TaskFilter all() {
    return new TaskFilter(Set.of(), 0, null, null, null, null, null, null, null, null, null);
  }

  public static TaskFilter in(TaskState first, TaskState... others) {
    return all().withStates(EnumSet.of(first, others));
  }

  public TaskFilter withStates(Set<TaskState> value) {
    return with(draft -> draft.states = value);
  }

  public TaskFilter withHold(int value) {
    return with(draft -> draft.hold = value);
  }

  public TaskFilter withKind(@Nullable String value) {
    return with(draft -> draft.kind = value);
  }

  public TaskFilter withNameContains(@Nullable String value) {
    return with(draft -> draft.nameContains = value);
  }

  public TaskFilter withBatch(@Nullable UUID value) {
    return with(draft -> draft.batch = value);
  }

  public TaskFilter withFailureKind(@Nullable String value) {
    return with(draft -> draft.failureKind = value);
  }

  public TaskFilter withGiveUpReason(@Nullable EndReason value) {
    return with(draft -> draft.giveUpReason = value);
  }

  public TaskFilter withStrategy(@Nullable String value) {
    return with(draft -> draft.strategy = value);
  }

  public TaskFilter withCreatedAfter(@Nullable Instant value) {
    return with(draft -> draft.createdAfter = value);
  }

  public TaskFilter withCreatedBefore(@Nullable Instant value) {
    return with(draft -> draft.createdBefore = value);
  }

  public TaskFilter withDueWithin(@Nullable Duration value) {
    return with(draft -> draft.dueWithin = value);
  }

  private TaskFilter with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.filter();
  }

  /** A copy in which one field may change. */
  private static final class Draft {

    private Set<TaskState> states;
    private int hold;
    private @Nullable String kind;
    private @Nullable String nameContains;
    private @Nullable UUID batch;
    private @Nullable String failureKind;
    private @Nullable EndReason giveUpReason;
    private @Nullable String strategy;
    private @Nullable Instant createdAfter;
    private @Nullable Instant createdBefore;
    private @Nullable Duration dueWithin;

    Draft(TaskFilter from) {
      states = from.states;
      hold = from.hold;
      kind = from.kind;
      nameContains = from.nameContains;
      batch = from.batch;
      failureKind = from.failureKind;
      giveUpReason = from.giveUpReason;
      strategy = from.strategy;
      createdAfter = from.createdAfter;
      createdBefore = from.createdBefore;
      dueWithin = from.dueWithin;
    }

    TaskFilter filter() {
      return new TaskFilter(
          states,
          hold,
          kind,
          nameContains,
          batch,
          failureKind,
          giveUpReason,
          strategy,
          createdAfter,
          createdBefore,
          dueWithin);
    }
  }
}
