// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.query.MetadataIndex;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.task.HoldFlags;
import dev.perdure.engine.task.Task;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether a task is one of those a filter means. */
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
        && (filter.hold() == 0 || HoldFlags.isSet(task.hold(), filter.hold()))
        && isWanted(filter.kind(), storedTask.kind())
        && isWanted(filter.batch(), task.batch())
        && isWanted(filter.failureKind(), task.lastResult().failureKind())
        && isWanted(filter.giveUpReason(), task.lastResult().giveUpReason())
        && isWanted(filter.strategy(), task.definition().strategy())
        && contains(task.definition().name(), filter.search().name())
        && contains(searchText(task), filter.search().text())
        && MetadataIndex.matches(filter.search().metadataEntries(), task.definition().metadata())
        && instantsMatch(storedTask);
  }

  private static boolean isWanted(@Nullable Object wanted, @Nullable Object found) {
    return wanted == null || wanted.equals(found);
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

  private boolean instantsMatch(StoredTask storedTask) {
    Instant created = storedTask.task().times().createdAt();
    return (filter.createdAfter() == null || created.isAfter(filter.createdAfter()))
        && (filter.createdBefore() == null || created.isBefore(filter.createdBefore()))
        && (filter.dueWithin() == null || storedTask.isDue(now.plus(filter.dueWithin())));
  }
}
