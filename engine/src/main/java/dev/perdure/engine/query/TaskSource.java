// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * The tasks that a list or a count looks at: all those that can match a filter and that a store
 * finds without looking at others. A store that reads a source in another order than that of the
 * list has to sort it. It does so only for a source with few tasks, and otherwise looks at the
 * {@link #fallback()}.
 */
public enum TaskSource {
  /** All tasks. */
  ALL,
  /** The tasks of a batch. */
  BATCH,
  /** Live tasks that are neither leased nor claimable. */
  HELD,
  /** Claimed and running tasks. */
  LEASED,
  /** Tasks that wait for a retry. */
  RETRIES,
  /** All live tasks. */
  LIVE,
  /** Failed tasks. */
  FAILED,
  /** Failed tasks with an error. */
  ERROR,
  /** Failed tasks, and those that wait for a retry. */
  FAILED_OR_RETRIES,
  /** Failed tasks with an error, and those that wait for a retry. */
  ERROR_OR_RETRIES;

  /** A task of these is sorted without being read, so more of them can be sorted. */
  public static final int RETRIES_FACTOR = 4;

  private static final Set<DisplayStatus> HELD_STATUSES =
      EnumSet.of(DisplayStatus.WAITING, DisplayStatus.PAUSED, DisplayStatus.PARKED);
  private static final Set<TaskState> LEASED_STATES =
      EnumSet.of(TaskState.CLAIMED, TaskState.RUNNING);
  private static final Set<TaskState> WITH_ERROR =
      EnumSet.of(TaskState.FAILURE, TaskState.RETRY_PENDING);

  /** The source that has all tasks that the filter selects. */
  public static TaskSource of(TaskFilter filter) {
    if (filter.batch() != null) {
      return BATCH;
    }
    if (!filter.statuses().isEmpty() && HELD_STATUSES.containsAll(filter.statuses())) {
      return HELD;
    }
    Set<TaskState> states = states(filter);
    if (LEASED_STATES.containsAll(states)) {
      return LEASED;
    }
    if (states.equals(EnumSet.of(TaskState.RETRY_PENDING))) {
      return RETRIES;
    }
    boolean byError = filter.error() != null;
    if (states.equals(EnumSet.of(TaskState.FAILURE))) {
      return byError ? ERROR : FAILED;
    }
    if (states.equals(WITH_ERROR)) {
      return byError ? ERROR_OR_RETRIES : FAILED_OR_RETRIES;
    }
    return states.stream().allMatch(TaskState::isLive) ? LIVE : ALL;
  }

  /** The states that a task which matches the filter can have. */
  private static Set<TaskState> states(TaskFilter filter) {
    Set<TaskState> states = EnumSet.allOf(TaskState.class);
    if (!filter.states().isEmpty()) {
      states.retainAll(filter.states());
    }
    if (!filter.statuses().isEmpty()) {
      Set<TaskState> shown = EnumSet.noneOf(TaskState.class);
      filter.statuses().forEach(status -> shown.addAll(status.states()));
      states.retainAll(shown);
    }
    if (filter.error() != null) {
      states.retainAll(WITH_ERROR);
    }
    if (filter.worker() != null) {
      states.retainAll(LEASED_STATES);
    }
    if (filter.giveUpReason() != null) {
      states.retainAll(EnumSet.of(TaskState.FAILURE));
    }
    if (filter.dueAfter() != null || filter.dueBefore() != null) {
      states.removeIf(state -> !state.isLive());
    }
    if (filter.endedAfter() != null || filter.endedBefore() != null) {
      states.removeIf(TaskState::isLive);
    }
    return states;
  }

  /** What to look at when this source has too many tasks to sort; itself if it is never sorted. */
  public TaskSource fallback() {
    return switch (this) {
      case ALL, BATCH, HELD, FAILED -> this;
      case LEASED, RETRIES, LIVE, FAILED_OR_RETRIES, ERROR_OR_RETRIES -> ALL;
      case ERROR -> FAILED;
    };
  }

  /** True for a task of this source. */
  public boolean contains(TaskRow task, TaskFilter filter) {
    TaskState state = task.state();
    boolean failed = state == TaskState.FAILURE;
    boolean hasError = Objects.equals(task.failure().error(), filter.error());
    return switch (this) {
      case ALL -> true;
      case BATCH -> task.batch().equals(filter.batch());
      case HELD -> state.isLive() && !LEASED_STATES.contains(state);
      case LEASED -> LEASED_STATES.contains(state);
      case RETRIES -> state == TaskState.RETRY_PENDING;
      case LIVE -> state.isLive();
      case FAILED -> failed;
      case ERROR -> failed && hasError;
      case FAILED_OR_RETRIES -> WITH_ERROR.contains(state);
      case ERROR_OR_RETRIES -> state == TaskState.RETRY_PENDING || (failed && hasError);
    };
  }
}
