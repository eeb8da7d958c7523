// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.TaskGiveUpReason;
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
 * Selects tasks; all conditions that are set must hold.
 *
 * @param states any of these; empty means any state
 * @param statuses any of these, as {@link dev.perdure.engine.task.TaskRow#status()} shows them;
 *     empty means any status
 * @param search text and metadata to search for
 * @param strategy the type of the policy's backoff
 * @param timeout the inactivity timeout
 * @param createdAfter submitted after this instant
 * @param createdBefore submitted before this instant
 * @param dueWithin due no later than this from now
 * @param kinds any of these; empty means any kind
 * @param error the {@link dev.perdure.engine.task.ErrorFingerprint} of the failure
 * @param failureCode the code of the last failure
 * @param attemptMin at least this attempt, from 0
 * @param endedAfter ended after this instant
 * @param dueAfter has not ended and is due after this instant
 * @param schedule submitted by this schedule
 * @param worker the owner of its lease
 * @param parked whether it is parked
 */
public record TaskFilter(
    Set<TaskState> states,
    Set<DisplayStatus> statuses,
    Set<String> kinds,
    @Nullable String name,
    SearchTerms search,
    @Nullable UUID batch,
    @Nullable Integer run,
    @Nullable String failureKind,
    @Nullable TaskGiveUpReason giveUpReason,
    @Nullable String strategy,
    @Nullable Duration timeout,
    @Nullable Instant createdAfter,
    @Nullable Instant createdBefore,
    @Nullable Duration dueWithin,
    @Nullable String error,
    @Nullable String failureCode,
    @Nullable Long attemptMin,
    @Nullable Instant endedAfter,
    @Nullable Instant endedBefore,
    @Nullable Instant dueAfter,
    @Nullable Instant dueBefore,
    @Nullable UUID schedule,
    @Nullable String worker,
    @Nullable Boolean parked) {

  public TaskFilter {
    states = Set.copyOf(states);
    kinds = Set.copyOf(kinds);
    statuses = Set.copyOf(statuses);
  }

  public static TaskFilter all() {
    return new TaskFilter(
        Set.of(),
        Set.of(),
        Set.of(),
        null,
        SearchTerms.NOTHING,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  public static TaskFilter in(TaskState first, TaskState... others) {
    return all().withStates(EnumSet.of(first, others));
  }

  public static TaskFilter in(DisplayStatus first, DisplayStatus... others) {
    return all().withStatuses(EnumSet.of(first, others));
  }

  public TaskFilter withStates(Set<TaskState> value) {
    return with(builder -> builder.states = value);
  }

  public TaskFilter withStatuses(Set<DisplayStatus> value) {
    return with(builder -> builder.statuses = value);
  }

  /** Tasks of exactly this kind. */
  public TaskFilter withKind(@Nullable String value) {
    return withKinds(value == null ? Set.of() : Set.of(value));
  }

  public TaskFilter withKinds(Set<String> value) {
    return with(builder -> builder.kinds = value);
  }

  /** Tasks whose kind contains this text, in any case. */
  public TaskFilter withKindContains(@Nullable String value) {
    return with(
        builder ->
            builder.searchTerms =
                new SearchTerms(value, search.name(), search.text(), search.metadataEntries()));
  }

  public TaskFilter withName(@Nullable String value) {
    return with(builder -> builder.name = value);
  }

  /** Tasks whose name contains this text, in any case. */
  public TaskFilter withNameContains(@Nullable String value) {
    return with(
        builder ->
            builder.searchTerms =
                new SearchTerms(search.kind(), value, search.text(), search.metadataEntries()));
  }

  /** Tasks whose kind, name, local id or failure message contains this text, in any case. */
  public TaskFilter withText(@Nullable String value) {
    return with(
        builder ->
            builder.searchTerms =
                new SearchTerms(search.kind(), search.name(), value, search.metadataEntries()));
  }

  /** Tasks whose metadata has these fields with these values, and perhaps others. */
  public TaskFilter withMetadata(Map<String, ? extends @Nullable Object> value) {
    Set<String> digests = MetadataIndex.of(value);
    return with(
        builder ->
            builder.searchTerms =
                new SearchTerms(search.kind(), search.name(), search.text(), digests));
  }

  public TaskFilter withBatch(@Nullable UUID value) {
    return with(builder -> builder.batch = value);
  }

  /** Only tasks of this run of their batch. */
  public TaskFilter withRun(@Nullable Integer value) {
    return with(builder -> builder.run = value);
  }

  public TaskFilter withFailureKind(@Nullable String value) {
    return with(builder -> builder.failureKind = value);
  }

  public TaskFilter withGiveUpReason(@Nullable TaskGiveUpReason value) {
    return with(builder -> builder.giveUpReason = value);
  }

  public TaskFilter withStrategy(@Nullable String value) {
    return with(builder -> builder.strategy = value);
  }

  /** Tasks with exactly this timeout. */
  public TaskFilter withTimeout(@Nullable Duration value) {
    return with(builder -> builder.timeout = value);
  }

  public TaskFilter withCreatedAfter(@Nullable Instant value) {
    return with(builder -> builder.createdAfter = value);
  }

  public TaskFilter withCreatedBefore(@Nullable Instant value) {
    return with(builder -> builder.createdBefore = value);
  }

  public TaskFilter withDueWithin(@Nullable Duration value) {
    return with(builder -> builder.dueWithin = value);
  }

  public TaskFilter withError(@Nullable String value) {
    return with(builder -> builder.error = value);
  }

  public TaskFilter withFailureCode(@Nullable String value) {
    return with(builder -> builder.failureCode = value);
  }

  public TaskFilter withAttemptMin(@Nullable Long value) {
    return with(builder -> builder.attemptMin = value);
  }

  public TaskFilter withEndedAfter(@Nullable Instant value) {
    return with(builder -> builder.endedAfter = value);
  }

  public TaskFilter withEndedBefore(@Nullable Instant value) {
    return with(builder -> builder.endedBefore = value);
  }

  public TaskFilter withDueAfter(@Nullable Instant value) {
    return with(builder -> builder.dueAfter = value);
  }

  public TaskFilter withDueBefore(@Nullable Instant value) {
    return with(builder -> builder.dueBefore = value);
  }

  public TaskFilter withSchedule(@Nullable UUID value) {
    return with(builder -> builder.schedule = value);
  }

  public TaskFilter withWorker(@Nullable String value) {
    return with(builder -> builder.worker = value);
  }

  public TaskFilter withParked(@Nullable Boolean value) {
    return with(builder -> builder.parked = value);
  }

  private TaskFilter with(Consumer<FilterBuilder> change) {
    FilterBuilder builder = new FilterBuilder(this);
    change.accept(builder);
    return builder.filter();
  }

  /**
   * Text and metadata to search for.
   *
   * @param kind part of the kind, in any case
   * @param name part of the name, in any case
   * @param text part of the kind, the name, the local id or the failure message, in any case
   * @param metadataEntries {@link MetadataIndex} digests that the metadata must all have
   */
  public record SearchTerms(
      @Nullable String kind,
      @Nullable String name,
      @Nullable String text,
      Set<String> metadataEntries) {

    static final SearchTerms NOTHING = new SearchTerms(null, null, null, Set.of());

    public SearchTerms {
      metadataEntries = Set.copyOf(metadataEntries);
    }
  }

  /** Builds a copy with one field changed. */
  private static final class FilterBuilder {

    private Set<TaskState> states;
    private Set<DisplayStatus> statuses;
    private Set<String> kinds;
    private @Nullable String name;
    private SearchTerms searchTerms;
    private @Nullable UUID batch;
    private @Nullable Integer run;
    private @Nullable String failureKind;
    private @Nullable TaskGiveUpReason giveUpReason;
    private @Nullable String strategy;
    private @Nullable Duration timeout;
    private @Nullable Instant createdAfter;
    private @Nullable Instant createdBefore;
    private @Nullable Duration dueWithin;
    private @Nullable String error;
    private @Nullable String failureCode;
    private @Nullable Long attemptMin;
    private @Nullable Instant endedAfter;
    private @Nullable Instant endedBefore;
    private @Nullable Instant dueAfter;
    private @Nullable Instant dueBefore;
    private @Nullable UUID schedule;
    private @Nullable String worker;
    private @Nullable Boolean parked;

    FilterBuilder(TaskFilter from) {
      states = from.states;
      statuses = from.statuses;
      kinds = from.kinds;
      name = from.name;
      searchTerms = from.search;
      batch = from.batch;
      run = from.run;
      failureKind = from.failureKind;
      giveUpReason = from.giveUpReason;
      strategy = from.strategy;
      timeout = from.timeout;
      createdAfter = from.createdAfter;
      createdBefore = from.createdBefore;
      dueWithin = from.dueWithin;
      error = from.error;
      failureCode = from.failureCode;
      attemptMin = from.attemptMin;
      endedAfter = from.endedAfter;
      endedBefore = from.endedBefore;
      dueAfter = from.dueAfter;
      dueBefore = from.dueBefore;
      schedule = from.schedule;
      worker = from.worker;
      parked = from.parked;
    }

    TaskFilter filter() {
      return new TaskFilter(
          states,
          statuses,
          kinds,
          name,
          searchTerms,
          batch,
          run,
          failureKind,
          giveUpReason,
          strategy,
          timeout,
          createdAfter,
          createdBefore,
          dueWithin,
          error,
          failureCode,
          attemptMin,
          endedAfter,
          endedBefore,
          dueAfter,
          dueBefore,
          schedule,
          worker,
          parked);
    }
  }
}
