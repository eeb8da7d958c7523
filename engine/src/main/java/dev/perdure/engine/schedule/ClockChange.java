// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * A local time that a trigger names and that does not exist, or exists twice, because the clock
 * changes.
 *
 * @param time the first such time of the day
 * @param exists false if the clock skips it
 * @param firesAt when it fires instead, or the first of the two times
 */
public record ClockChange(LocalDateTime time, ZoneId zone, boolean exists, Instant firesAt) {

  /** Says in English what happens. */
  public String describe() {
    return exists
        ? "%s happens twice on %s in %s: it fires the first time only"
            .formatted(time.toLocalTime(), time.toLocalDate(), zone)
        : "%s does not exist on %s in %s: it fires at %s"
            .formatted(
                time.toLocalTime(),
                time.toLocalDate(),
                zone,
                LocalDateTime.ofInstant(firesAt, zone).toLocalTime());
  }
}
