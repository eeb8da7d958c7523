// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

/**
 * Items to add to the counters of a task.
 *
 * @param success items done
 * @param failures items failed
 */
public record CounterDelta(long success, long failures) {

  public static final CounterDelta NONE = new CounterDelta(0, 0);

  public CounterDelta {
    if (success < 0 || failures < 0) {
      throw new IllegalArgumentException(
          "success and failures: must be 0 or more, not %d and %d".formatted(success, failures));
    }
  }

  /** False when a counter would exceed {@link Long#MAX_VALUE}. */
  public boolean fitsOn(Progress before) {
    return before.success() <= Long.MAX_VALUE - success
        && before.failures() <= Long.MAX_VALUE - failures;
  }
}
