// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * How far the work has come.
 *
 * @param success items done
 * @param failures items failed
 * @param expected items in all, if known
 */
public record Progress(long success, long failures, @Nullable Long expected) {

  public static final Progress NONE = new Progress(0, 0, null);

  Progress plus(CounterDelta more) {
    return new Progress(
        Math.addExact(success, more.success()), Math.addExact(failures, more.failures()), expected);
  }
}
