// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.TaskRow;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of tasks. A page that ends at the {@link ScanLimit} may have fewer tasks than requested,
 * or none, although later pages have some.
 *
 * @param nextCursor where the next page begins; null when this is the last page
 * @param lookedAt how many tasks were looked at, if the page ends at the scan limit; else null
 * @param reached if the page ends at the scan limit, the instant of the last task looked at: when
 *     it was submitted, is due or ended, depending on the order; else null
 */
public record TaskPage(
    List<TaskRow> tasks,
    @Nullable String nextCursor,
    @Nullable Integer lookedAt,
    @Nullable Instant reached) {

  public TaskPage {
    tasks = List.copyOf(tasks);
  }

  /** A page that does not end at the scan limit. */
  public TaskPage(List<TaskRow> tasks, @Nullable String nextCursor) {
    this(tasks, nextCursor, null, null);
  }
}
