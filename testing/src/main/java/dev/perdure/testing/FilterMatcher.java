// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.query.MetadataIndex;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.task.Task;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks tasks against a filter. */
final class FilterMatcher {

  private final TaskFilter filter;
  private final Instant now;

  FilterMatcher(TaskFilter filter, Instant now) {
    this.filter = filter;
    this.now = now;
  }

  boolean matches(StoredTask storedTask) {
    Task task = storedTask.task();
    return (filter.states().isEmpty() || filter.states().contains(task.state()))
        && (filter.statuses().isEmpty() || filter.statuses().contains(task.status()))
        && matches(filter.kind(), storedTask.kind())
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

  private static String searchText(Task task) {
    return Stream.of(
            task.definition().kind(),
            task.definition().name(),
            task.definition().localId(),
            task.lastResult().failureReason())
        .filter(Objects::nonNull)
        .collect(Collectors.joining("\n"));
  }

  private boolean matchesTimes(StoredTask storedTask) {
    Instant created = storedTask.task().times().createdAt();
    return (filter.createdAfter() == null || created.isAfter(filter.createdAfter()))
        && (filter.createdBefore() == null || created.isBefore(filter.createdBefore()))
        && (filter.dueWithin() == null || storedTask.isDue(now.plus(filter.dueWithin())));
  }
}
