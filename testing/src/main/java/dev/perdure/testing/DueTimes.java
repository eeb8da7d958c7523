// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.task.Due;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The instant that is meant, to the millisecond. */
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
