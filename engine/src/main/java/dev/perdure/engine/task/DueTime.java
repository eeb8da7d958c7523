// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Duration;
import java.time.Instant;

/** When a task is due. The database adds durations to its own clock. */
public sealed interface DueTime {

  /** No change. */
  record Unchanged() implements DueTime {}

  /** This long after the change is written. */
  record In(Duration delay) implements DueTime {
    public In {
      if (delay.isNegative()) {
        throw new IllegalArgumentException("delay: must not be negative, not " + delay);
      }
    }
  }

  record At(Instant instant) implements DueTime {}

  static DueTime unchanged() {
    return new Unchanged();
  }

  static DueTime now() {
    return new In(Duration.ZERO);
  }

  static DueTime in(Duration delay) {
    return new In(delay);
  }

  static DueTime at(Instant instant) {
    return new At(instant);
  }
}
