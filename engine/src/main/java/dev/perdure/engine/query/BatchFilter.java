// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.DisplayStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which batches to list; null means any. Texts match parts, upper and lower case alike. The name,
 * the kind and the status must belong to the same task.
 *
 * @param name part of the name of the batch or of one of its tasks
 * @param kind part of the kind of one of its tasks
 * @param status the status of one of its tasks
 * @param live true for batches with a task that has not ended, or that may run again: their policy
 *     has not decided yet, or their next run waits for its time; false for the others
 */
public record BatchFilter(
    @Nullable String name,
    @Nullable String kind,
    @Nullable DisplayStatus status,
    @Nullable Instant createdAfter,
    @Nullable Instant createdBefore,
    @Nullable Boolean live) {

  public static final BatchFilter ALL = new BatchFilter(null, null, null, null, null, null);

  /** True when tasks have to be looked at. */
  public boolean readsTasks() {
    return concernsTasks() || live != null;
  }

  /** True when one task must match the name, the kind and the status together. */
  public boolean concernsTasks() {
    return name != null || kind != null || status != null;
  }
}
