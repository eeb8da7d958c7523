// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Duration;
import java.time.Instant;

/** When a task is due. The database adds durations to its own clock. */
public sealed interface Due {

  /** No change. */
  record Unchanged() implements Due {}

  /** This long after the change is written. */
  record In(Duration delay) implements Due {
    public In {
      if (delay.isNegative()) {
        throw new IllegalArgumentException("delay: must not be negative, not " + delay);
      }
    }
  }

  record At(Instant instant) implements Due {}

  static Due unchanged() {
    return new Unchanged();
  }

  static Due now() {
    return new In(Duration.ZERO);
  }

  static Due in(Duration delay) {
    return new In(delay);
  }

  static Due at(Instant instant) {
    return new At(instant);
  }
}
