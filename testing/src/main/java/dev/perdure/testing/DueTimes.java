// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.task.Due;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Resolves a due time to an instant with millisecond precision. */
final class DueTimes {

  private DueTimes() {}

  static Instant resolve(Due due, Instant now, Instant before) {
    Instant instant =
        switch (due) {
          case Due.Unchanged unchanged -> before;
          case Due.In in -> now.plus(in.delay());
          case Due.At at -> at.instant();
        };
    return instant.truncatedTo(ChronoUnit.MILLIS);
  }
}
