// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.query.MetadataIndex;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.task.Task;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks tasks against a filter. */
final class FilterMatcher {

  private final TaskFilter filter;
  private final Set<UUID> scheduled;
  private final Instant now;

  /**
   * @param scheduled the batches of the filter's schedule
   */
  FilterMatcher(TaskFilter filter, Set<UUID> scheduled, Instant now) {
    this.filter = filter;
    this.scheduled = Set.copyOf(scheduled);
    this.now = now;
  }

  boolean matches(StoredTask storedTask) {
    Task task = storedTask.task();
    return (filter.states().isEmpty() || filter.states().contains(task.state()))
        && (filter.statuses().isEmpty() || filter.statuses().contains(task.status()))
        && (filter.kinds().isEmpty() || filter.kinds().contains(storedTask.kind()))
        && matches(filter.error(), task.lastResult().error())
        && matchesFailureCode(task)
        && matches(filter.worker(), task.worker())
        && matches(filter.parked(), task.row().parked())
        && (filter.schedule() == null || scheduled.contains(task.batch()))
        && (filter.attemptMin() == null || task.retryCounters().attempt() >= filter.attemptMin())
        && matches(filter.batch(), task.batch())
        && matches(filter.run(), task.run())
        && matches(filter.failureKind(), task.lastResult().failureKind())
        && matches(filter.giveUpReason(), task.lastResult().giveUpReason())
        && matches(filter.strategy(), task.definition().strategy())
        && matches(filter.name(), task.definition().name())
        && matches(filter.timeout(), task.definition().timeout())
        && contains(storedTask.kind(), filter.search().kind())
        && contains(task.definition().name(), filter.search().name())
        && contains(searchText(task), filter.search().text())
        && MetadataIndex.matches(filter.search().metadataEntries(), task.definition().metadata())
        && matchesTimes(storedTask);
  }

  private static boolean matches(@Nullable Object expected, @Nullable Object found) {
    return expected == null || expected.equals(found);
  }

  private static boolean contains(@Nullable String whole, @Nullable String part) {
    return part == null
        || (whole != null
            && whole.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT)));
  }

  private static boolean isBetween(
      @Nullable Instant at, @Nullable Instant after, @Nullable Instant before) {
    return (after == null || (at != null && at.isAfter(after)))
        && (before == null || (at != null && at.isBefore(before)));
  }

  private static String searchText(Task task) {
    return Stream.of(
            task.definition().kind(),
            task.definition().name(),
            task.definition().localId(),
            task.lastResult().failureReason())
        .filter(Objects::nonNull)
        .collect(Collectors.joining("\n"));
  }

  private boolean matchesFailureCode(Task task) {
    return filter.failureCode() == null
        || (task.lastResult().failureKind() != null
            && filter.failureCode().equals(task.lastResult().failureCode()));
  }

  private boolean matchesTimes(StoredTask storedTask) {
    Instant created = storedTask.task().times().createdAt();
    Instant ended = storedTask.task().times().endedAt();
    Instant due = ended == null ? storedTask.dueAt() : null;
    return isBetween(ended, filter.endedAfter(), filter.endedBefore())
        && isBetween(due, filter.dueAfter(), filter.dueBefore())
        && (filter.createdAfter() == null || created.isAfter(filter.createdAfter()))
        && (filter.createdBefore() == null || created.isBefore(filter.createdBefore()))
        && (filter.dueWithin() == null || storedTask.isDue(now.plus(filter.dueWithin())));
  }
}
