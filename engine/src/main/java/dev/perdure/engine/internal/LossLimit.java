// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import java.time.Duration;

/**
 * How many lost workers a task survives within one attempt, so that a task that kills its workers
 * is stopped.
 */
public record LossLimit(int maxLosses) {

  public static final LossLimit DEFAULT = new LossLimit(5);

  private static final int MAX_WAIT_DOUBLINGS = 12;

  public LossLimit {
    if (maxLosses < 0) {
      throw new IllegalArgumentException("lossLimit: must be 0 or more, not " + maxLosses);
    }
  }

  /** The delay after the nth loss: 2^n seconds, at most about an hour. */
  static Duration waitAfter(int losses) {
    return Duration.ofSeconds(1L << Math.min(losses, MAX_WAIT_DOUBLINGS));
  }
}
