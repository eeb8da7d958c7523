// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How much belongs to a task. Counting stops at {@link #MAX_COUNTED}.
 *
 * @param attempts the records of its ended leases
 * @param parents the tasks that it depends on
 * @param children the tasks that depend on it
 * @param schedule the schedule that submitted it; null if none did
 */
public record TaskRelations(int attempts, int parents, int children, @Nullable UUID schedule) {

  public static final int MAX_COUNTED = 100_000;

  public static final TaskRelations NONE = new TaskRelations(0, 0, 0, null);
}
