// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Duration;
import java.time.Instant;

/** When a task is due. Lengths are added to the database's clock, by the database. */
public sealed interface Due {

  /** As it was. */
  record Unchanged() implements Due {}

  /** This long after the write. */
  record In(Duration delay) implements Due {
    public In {
      if (delay.isNegative()) {
        throw new IllegalArgumentException("a delay must not be negative: " + delay);
      }
    }
  }

  /** At this instant. */
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
