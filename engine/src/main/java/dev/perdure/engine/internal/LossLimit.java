// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import java.time.Duration;

/**
 * How many deaths of its workers a task survives within one attempt. A task that kills its workers
 * stops doing so.
 */
public record LossLimit(int maxLosses) {

  public static final LossLimit DEFAULT = new LossLimit(5);

  private static final int MAX_WAIT_DOUBLINGS = 12;

  public LossLimit {
    if (maxLosses < 0) {
      throw new IllegalArgumentException("the limit of losses must be 0 or more, not " + maxLosses);
    }
  }

  /** The wait after the n-th loss: 2^n seconds, and at most about an hour. */
  static Duration waitAfter(int losses) {
    return Duration.ofSeconds(1L << Math.min(losses, MAX_WAIT_DOUBLINGS));
  }
}
