// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The order of a list. Each one has an index in the store. */
public enum TaskSort {
  /** Newest submission first. */
  NEWEST,
  /** Oldest submission first; tasks of one submission in their own order. */
  OLDEST,
  /** Waiting retries only, the next one first; not within a batch. */
  NEXT_RETRY,
  /** Ended tasks only, the last one first; not within a batch. */
  LAST_ENDED;

  private static final UUID LEAST = new UUID(0, 0);
  private static final UUID GREATEST = new UUID(-1, -1);

  private static final Comparator<TaskRow> BY_ID =
      Comparator.comparing(TaskRow::id, IdOrder.BYTEWISE);

  /** The states of the tasks that the list contains. */
  public Set<TaskState> states() {
    return switch (this) {
      case NEWEST, OLDEST -> EnumSet.allOf(TaskState.class);
      case NEXT_RETRY -> EnumSet.of(TaskState.RETRY_PENDING);
      case LAST_ENDED -> EnumSet.of(TaskState.SUCCESS, TaskState.FAILURE, TaskState.CANCELED);
    };
  }

  /** True when the order can be used within one batch. */
  public boolean isWithinBatch() {
    return this == NEWEST || this == OLDEST;
  }

  public Comparator<TaskRow> comparator() {
    return switch (this) {
      case NEWEST -> BY_ID.reversed();
      case OLDEST -> BY_ID;
      case NEXT_RETRY -> Comparator.comparing((TaskRow task) -> at(task)).thenComparing(BY_ID);
      case LAST_ENDED ->
          Comparator.comparing((TaskRow task) -> at(task)).thenComparing(BY_ID).reversed();
    };
  }

  /** Throws when the filter selects a batch and this order cannot be used within a batch. */
  public void requireSupports(TaskFilter filter) {
    if (filter.batch() != null && !isWithinBatch()) {
      throw new IllegalArgumentException("sort: " + this + " cannot be used within a batch");
    }
  }

  /** The instant that the list is sorted by; ids are sorted by when tasks were submitted. */
  Instant at(TaskRow task) {
    Instant at =
        switch (this) {
          case NEXT_RETRY -> task.times().dueAt();
          case LAST_ENDED -> task.times().endedAt();
          case NEWEST, OLDEST -> task.times().createdAt();
        };
    if (at == null) {
      throw new IllegalStateException("task " + task.id() + " is not part of the list " + this);
    }
    return at;
  }

  /**
   * A position in the list: after a task, or before all tasks.
   *
   * @param at the instant of that task by which the list is sorted; null when it is sorted by id
   */
  public record Cursor(@Nullable Instant at, UUID id) {

    /** The text of {@link TaskPage#nextCursor()}. */
    @Override
    public String toString() {
      return at == null ? id.toString() : at + "_" + id;
    }
  }

  /** The {@link TaskPage#nextCursor()} of a page that ends with this task. */
  String cursorAfter(TaskRow task) {
    return new Cursor(isWithinBatch() ? null : at(task), task.id()).toString();
  }

  /** True when the task comes after the cursor. */
  public boolean isAfter(TaskRow task, Cursor cursor) {
    int by = cursor.at() == null ? 0 : at(task).compareTo(cursor.at());
    int order = by == 0 ? task.id().toString().compareTo(cursor.id().toString()) : by;
    boolean forward = this == OLDEST || this == NEXT_RETRY;
    return forward ? order > 0 : order < 0;
  }

  /** Parses {@link TaskPage#nextCursor()}; null means before all tasks. */
  public Cursor cursor(@Nullable String after) {
    if (after == null) {
      return switch (this) {
        case NEWEST -> new Cursor(null, GREATEST);
        case OLDEST -> new Cursor(null, LEAST);
        case NEXT_RETRY -> new Cursor(Instant.MIN, LEAST);
        case LAST_ENDED -> new Cursor(Instant.MAX, GREATEST);
      };
    }
    int end = after.indexOf('_');
    try {
      if (isWithinBatch() == (end < 0)) {
        Instant at = end < 0 ? null : Instant.parse(after.substring(0, end));
        return new Cursor(at, UUID.fromString(after.substring(end + 1)));
      }
    } catch (IllegalArgumentException | DateTimeParseException e) {
      throw new IllegalArgumentException(
          "after: must be the 'next' of an earlier page, not " + after, e);
    }
    throw new IllegalArgumentException(
        "after: must be the 'next' of an earlier page in the same order");
  }
}
