// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.ErrorGroup;
import dev.perdure.engine.query.ErrorQuery;
import dev.perdure.engine.query.Problem;
import dev.perdure.engine.query.Problem.ProblemId;
import dev.perdure.engine.query.ProblemRules;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Names the error that most tasks of a failing kind have had in the last minutes. The errors of all
 * kinds are read together, and seldom, because that takes long. Not thread-safe.
 */
final class FailureErrors {

  static final Duration KEPT_FOR = Duration.ofSeconds(15);

  private final TaskStore store;
  private final InstantSource clock;
  private List<ErrorGroup> groups = List.of();
  private Instant readAt = Instant.EPOCH;

  FailureErrors(TaskStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  List<Problem> name(List<Problem> problems) {
    return problems.stream().anyMatch(FailureErrors::isFailing)
        ? problems.stream().map(this::withError).toList()
        : problems;
  }

  private static boolean isFailing(Problem problem) {
    return problem.id() == ProblemId.KIND_FAILING && !problem.isOver();
  }

  private Problem withError(Problem problem) {
    String kind = problem.kind();
    if (!isFailing(problem) || kind == null) {
      return problem;
    }
    return groups().stream()
        .filter(group -> group.error() != null && group.kinds().containsKey(kind))
        .max(Comparator.comparingLong(group -> group.kinds().getOrDefault(kind, 0L)))
        .map(group -> problem.withError(group.error(), group.title()))
        .orElse(problem);
  }

  /** None if they cannot be read now: the problem is told without its error. */
  private List<ErrorGroup> groups() {
    Instant now = clock.instant();
    if (now.isBefore(readAt) || now.isAfter(readAt.plus(KEPT_FOR))) {
      readAt = now;
      groups = List.of();
      try {
        ErrorQuery query = ErrorQuery.of(ProblemRules.WINDOW);
        groups =
            Stream.of(query, query.withRetries(true))
                .flatMap(each -> store.reader().errors(each).groups().stream())
                .toList();
      } catch (StoreException unavailable) {
        return groups;
      }
    }
    return groups;
  }
}
