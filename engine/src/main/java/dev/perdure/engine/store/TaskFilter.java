// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.store;

import dev.perdure.engine.task.EndReason;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks; everything that is named must hold.
 *
 * @param states any of these; empty means any state
 * @param hold at least one of these bits of {@link dev.perdure.engine.task.Hold}; 0 means any
 * @param search what must be found in what people wrote
 * @param strategy the policy's backoff in one word
 * @param createdAfter submitted after this instant
 * @param createdBefore submitted before this instant
 * @param dueWithin due no later than this from now
 */
public record TaskFilter(
    Set<TaskState> states,
    int hold,
    @Nullable String kind,
    Search search,
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
    return new TaskFilter(
        Set.of(), 0, null, Search.NOTHING, null, null, null, null, null, null, null);
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

  /** Part of the name, in any case. */
  public TaskFilter withNameContains(@Nullable String value) {
    return with(draft -> draft.search = new Search(value, search.anywhere(), search.facets()));
  }

  /** Part of the kind, the name, the local id or the failure's message, in any case. */
  public TaskFilter withAnywhere(@Nullable String value) {
    return with(draft -> draft.search = new Search(search.name(), value, search.facets()));
  }

  /** These fields of the metadata have these values; others may be there too. */
  public TaskFilter withMetadata(Map<String, ? extends @Nullable Object> value) {
    Set<String> facets = Facets.of(value);
    return with(draft -> draft.search = new Search(search.name(), search.anywhere(), facets));
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

  /**
   * What must be found in what people wrote.
   *
   * @param name part of the name, in any case
   * @param anywhere part of the kind, the name, the local id or the failure's message, in any case
   * @param facets {@link Facets} of the metadata, all of which it must have
   */
  public record Search(@Nullable String name, @Nullable String anywhere, Set<String> facets) {

    static final Search NOTHING = new Search(null, null, Set.of());

    public Search {
      facets = Set.copyOf(facets);
    }
  }

  /** A copy in which one field may change. */
  private static final class Draft {

    private Set<TaskState> states;
    private int hold;
    private @Nullable String kind;
    private Search search;
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
      search = from.search;
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
          search,
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
