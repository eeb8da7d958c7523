// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.task.DueTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Resolves a due time to an instant with millisecond precision. */
final class DueTimes {

  private DueTimes() {}

  static Instant resolve(DueTime dueTime, Instant now, Instant before) {
    Instant instant =
        switch (dueTime) {
          case DueTime.Unchanged unchanged -> before;
          case DueTime.In in -> now.plus(in.delay());
          case DueTime.At at -> at.instant();
        };
    return instant.truncatedTo(ChronoUnit.MILLIS);
  }

  static Instant after(Instant now, Duration delay) {
    return now.plus(delay).truncatedTo(ChronoUnit.MILLIS);
  }
}
