// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.store.Facets;
import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.task.Hold;
import dev.perdure.engine.task.Task;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether a task is one of those a filter means. */
final class Matching {

  private final TaskFilter filter;
  private final Instant now;

  Matching(TaskFilter filter, Instant now) {
    this.filter = filter;
    this.now = now;
  }

  boolean matches(Row row) {
    Task task = row.task();
    return (filter.states().isEmpty() || filter.states().contains(task.state()))
        && (filter.hold() == 0 || Hold.has(task.hold(), filter.hold()))
        && isWanted(filter.kind(), row.kind())
        && isWanted(filter.batch(), task.batch())
        && isWanted(filter.failureKind(), task.ending().failureKind())
        && isWanted(filter.giveUpReason(), task.ending().giveUpReason())
        && isWanted(filter.strategy(), task.definition().strategy())
        && contains(task.definition().name(), filter.search().name())
        && contains(words(task), filter.search().anywhere())
        && Facets.match(filter.search().facets(), task.definition().metadata())
        && instantsMatch(row);
  }

  private static boolean isWanted(@Nullable Object wanted, @Nullable Object found) {
    return wanted == null || wanted.equals(found);
  }

  private static boolean contains(@Nullable String whole, @Nullable String part) {
    return part == null
        || (whole != null
            && whole.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT)));
  }

  private static String words(Task task) {
    return Stream.of(
            task.definition().kind(),
            task.definition().name(),
            task.definition().localId(),
            task.ending().failureReason())
        .filter(Objects::nonNull)
        .collect(Collectors.joining("\n"));
  }

  private boolean instantsMatch(Row row) {
    Instant created = row.task().times().createdAt();
    return (filter.createdAfter() == null || created.isAfter(filter.createdAfter()))
        && (filter.createdBefore() == null || created.isBefore(filter.createdBefore()))
        && (filter.dueWithin() == null || row.isDue(now.plus(filter.dueWithin())));
  }
}
