// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.query.TaskSort.Cursor;
import dev.perdure.engine.query.TaskSource;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the statement for a list or a count of tasks by the index that fits the filter and the
 * sort order.
 */
public final class TaskListStatements {

  private TaskListStatements() {}

  /** Runs a statement that tells whether a source has no more tasks than {@code most}. */
  @FunctionalInterface
  public interface FitCheck {
    boolean fits(String statement, long most) throws SQLException;
  }

  /**
   * The statement for a list.
   *
   * @param look how many tasks the statement may look at
   */
  public static String list(TaskFilter filter, TaskSort sort, int look, FitCheck check)
      throws SQLException {
    if (sort == TaskSort.NEXT_RETRY) {
      return "task_list.list_retries";
    }
    TaskSource source = TaskSource.of(filter);
    if (sort == TaskSort.LAST_ENDED) {
      return switch (source) {
        case ERROR ->
            check.fits("task_list.fits_error", look)
                ? "task_list.list_ended_error"
                : "task_list.list_ended_failed";
        case FAILED -> "task_list.list_ended_failed";
        default -> "task_list.list_ended";
      };
    }
    TaskSource read = fits(source, look, check) ? source : source.fallback();
    return (sort == TaskSort.NEWEST ? "task_list.list" : "task_list.list_oldest") + suffix(read);
  }

  private static boolean fits(TaskSource source, int look, FitCheck check) throws SQLException {
    long retries = (long) look * TaskSource.RETRIES_FACTOR;
    return switch (source) {
      case ALL, BATCH, HELD, FAILED -> true;
      case LEASED -> check.fits("task_list.fits_leased", look);
      case LIVE -> check.fits("task_list.fits_live", look);
      case ERROR -> check.fits("task_list.fits_error", look);
      case RETRIES, FAILED_OR_RETRIES -> check.fits("task_list.fits_retries", retries);
      case ERROR_OR_RETRIES -> check.fits("task_list.fits_error_or_retries", retries);
    };
  }

  /** True when the statement of a {@link FitCheck} has the parameter {@code error}. */
  public static boolean hasError(String fitStatement) {
    return fitStatement.startsWith("task_list.fits_error");
  }

  private static String suffix(TaskSource source) {
    return switch (source) {
      case ALL -> "";
      case RETRIES -> "_in_retry";
      case BATCH, HELD, LEASED, LIVE, FAILED, ERROR, FAILED_OR_RETRIES, ERROR_OR_RETRIES ->
          "_" + name(source);
    };
  }

  private static String name(TaskSource source) {
    return source.name().toLowerCase(Locale.ROOT);
  }

  public static String count(TaskFilter filter) {
    TaskSource source = TaskSource.of(filter);
    return source == TaskSource.ALL ? "task_list.count" : "task_list.count_" + name(source);
  }

  /** Where {@link #count} begins; null when that statement has no parameters for it. */
  public static @Nullable Cursor countStart(TaskFilter filter) {
    return switch (TaskSource.of(filter)) {
      case LEASED, LIVE, ERROR, ERROR_OR_RETRIES -> null;
      case RETRIES -> TaskSort.NEXT_RETRY.cursor(null);
      case ALL, BATCH, HELD, FAILED, FAILED_OR_RETRIES -> TaskSort.NEWEST.cursor(null);
    };
  }
}
