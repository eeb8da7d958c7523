// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Spreads the retries of a bulk request over time: the k-th of n tasks is due at start + length ×
 * k/n. First come the waiting retries, in the order in which they are due, then the tasks that
 * ended, oldest first. If there turn out to be more tasks than were counted, they keep the pace.
 *
 * <p>The cursor of the next request contains all of this, so that a bulk action of several requests
 * is spread as one.
 *
 * @param ended false while waiting retries are walked through, then true
 * @param done how many tasks have their time already
 * @param start the database's time when the first request began
 * @param after where the walk continues; null at the begin of each part
 */
record BulkSpread(
    Duration length, boolean ended, long done, long total, Instant start, @Nullable String after) {

  private static final Pattern CURSOR =
      Pattern.compile("([re])\\.(\\d{1,15})\\.(\\d{1,15})\\.(\\d{1,15})\\.(.{0,100})");

  static BulkSpread begin(Duration length, long total, Instant start) {
    Instant whole = Instant.ofEpochMilli(start.toEpochMilli());
    return new BulkSpread(length, false, 0, Math.max(1, total), whole, null);
  }

  /** Reads {@link #toString()}; null when it is something else. */
  static @Nullable BulkSpread parse(Duration length, String cursor) {
    Matcher found = CURSOR.matcher(cursor);
    if (!found.matches()) {
      return null;
    }
    BulkSpread read =
        new BulkSpread(
            length,
            found.group(1).equals("e"),
            Long.parseLong(found.group(2)),
            Math.max(1, Long.parseLong(found.group(3))),
            Instant.ofEpochMilli(Long.parseLong(found.group(4))),
            found.group(5).isEmpty() ? null : found.group(5));
    try {
      read.sort(TaskFilter.all()).cursor(read.after);
      return read;
    } catch (IllegalArgumentException wrong) {
      return read.ended || !isId(read.after) ? null : read;
    }
  }

  private static boolean isId(@Nullable String text) {
    return text != null && QueryReader.parseUuid(text) != null;
  }

  @Override
  public String toString() {
    return "%s.%d.%d.%d.%s"
        .formatted(
            ended ? "e" : "r", done, total, start.toEpochMilli(), after == null ? "" : after);
  }

  /** When the k-th task from here is due. */
  Instant at(long k) {
    return start.plusMillis(Math.round(length.toMillis() * ((double) (done + k) / (double) total)));
  }

  BulkSpread advanced(long tasks, @Nullable String next) {
    return new BulkSpread(length, ended, done + tasks, total, start, next);
  }

  /** The second part: tasks that ended. */
  BulkSpread endedTasks() {
    return new BulkSpread(length, true, done, total, start, null);
  }

  Set<TaskState> states() {
    return ended
        ? EnumSet.of(TaskState.FAILURE, TaskState.CANCELED)
        : EnumSet.of(TaskState.RETRY_PENDING);
  }

  /** The order of the walk. The retries of a batch have no index by due time. */
  TaskSort sort(TaskFilter filter) {
    return ended || filter.batch() != null ? TaskSort.OLDEST : TaskSort.NEXT_RETRY;
  }

  /** True when the filter can select tasks of this part. */
  boolean concerns(TaskFilter filter) {
    return filter.statuses().isEmpty()
        || filter.statuses().stream()
            .anyMatch(status -> !Collections.disjoint(status.states(), states()));
  }

  /**
   * True for a retry that this bulk action has moved already: it is due later now, so the walk
   * finds it again. One that failed since the begin is left alone as well.
   */
  boolean isMoved(TaskRow task) {
    Instant updated = task.times().updatedAt();
    return !ended
        && (updated.isAfter(start.plusMillis(1))
            || (!updated.isBefore(start) && isPlanned(task.times().dueAt())));
  }

  private boolean isPlanned(Instant due) {
    double share = (double) (due.toEpochMilli() - start.toEpochMilli()) / length.toMillis();
    long k = Math.round(share * total) - done;
    return k < 0 && at(k).equals(Instant.ofEpochMilli(due.toEpochMilli()));
  }
}
