// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.ScanLimit;
import dev.perdure.engine.query.TaskCount;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.FieldError;
import dev.perdure.server.http.HttpProblemException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Counts the tasks that a bulk retry spreads, from which their pace follows.
 *
 * @param most tasks are counted up to this many; if there are more, the rest follows at the same
 *     pace
 */
record SpreadCount(TaskReader tasks, int most) {

  private static final int MAX_COUNTED = 50_000;
  private static final String UNKNOWN =
      "selects among too many tasks to count how many are spread: add \"status\": [\"Failure\", \"RetryPending\"], use a narrower filter, or leave out \"spread\"";

  static SpreadCount of(TaskReader tasks) {
    return new SpreadCount(tasks, MAX_COUNTED);
  }

  /**
   * How many tasks the filter selects that can be retried. If it stays unknown, the request is
   * refused: with a count that is too small the tasks would be spread over days.
   */
  long count(TaskFilter filter) {
    TaskCount retries = count(filter, EnumSet.of(TaskState.RETRY_PENDING));
    TaskCount ended = count(filter, EnumSet.of(TaskState.FAILURE, TaskState.CANCELED));
    long total = retries.tasks() + ended.tasks();
    if ((retries.exact() && ended.exact()) || total >= most) {
      return total;
    }
    // Failed tasks have an index of their own, so this finds also old ones.
    long failed = count(filter, EnumSet.of(TaskState.FAILURE)).tasks();
    if (retries.tasks() + failed < most) {
      throw HttpProblemException.invalid(List.of(new FieldError("filter", UNKNOWN)));
    }
    return retries.tasks() + failed;
  }

  private TaskCount count(TaskFilter filter, Set<TaskState> states) {
    boolean possible =
        filter.statuses().isEmpty()
            || filter.statuses().stream()
                .anyMatch(status -> !Collections.disjoint(status.states(), states));
    return possible
        ? tasks.count(filter.withStates(states), most, ScanLimit.of(most))
        : new TaskCount(0, true);
  }
}
