// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * The counters of a task.
 *
 * @param success items done
 * @param failures items failed
 * @param expected how many items there are; null when unknown
 */
public record Progress(long success, long failures, @Nullable Long expected) {

  public static final Progress NONE = new Progress(0, 0, null);

  Progress plus(CounterDelta more) {
    return new Progress(
        Math.addExact(success, more.success()), Math.addExact(failures, more.failures()), expected);
  }
}
