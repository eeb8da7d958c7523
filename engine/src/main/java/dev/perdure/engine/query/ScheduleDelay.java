// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.schedule.Firing;
import java.time.Duration;
import java.util.UUID;

/** A firing of a schedule that was skipped, missed or late. */
public record ScheduleDelay(UUID schedule, String name, Firing firing) {

  /** A firing that comes later than this is late. */
  public static final Duration LATE_AFTER = Duration.ofSeconds(60);
}
