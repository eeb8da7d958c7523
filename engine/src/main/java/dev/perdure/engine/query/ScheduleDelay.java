// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.FiringProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A firing of a schedule that was skipped, missed or late, or that has not come although it is due.
 *
 * @param scheduledFor when it should have come
 * @param firing what came of it; null if it has not come
 * @param problem why the schedule could not fire; null if it came, or if no node has tried
 */
public record ScheduleDelay(
    UUID schedule,
    String name,
    Instant scheduledFor,
    @Nullable Firing firing,
    @Nullable String problem) {

  /** A firing that comes later than this is late. */
  public static final Duration LATE_AFTER = Duration.ofSeconds(60);

  /** A node looks at a schedule that should have fired no later than this from now. */
  public static final Duration LOOKED_AT_WITHIN = FiringProblem.RETRY_AFTER;

  /** Those that have not come first, then the newest. */
  public static final Comparator<ScheduleDelay> ORDER =
      Comparator.comparing((ScheduleDelay delay) -> delay.firing != null)
          .thenComparing(ScheduleDelay::at, Comparator.reverseOrder());

  /** A firing that came. */
  public static ScheduleDelay of(UUID schedule, String name, Firing firing) {
    return new ScheduleDelay(schedule, name, firing.scheduledFor(), firing, null);
  }

  /** A firing that should have come at this time. */
  public static ScheduleDelay overdue(
      UUID schedule, String name, Instant scheduledFor, @Nullable String problem) {
    return new ScheduleDelay(schedule, name, scheduledFor, null, problem);
  }

  /** Whether a firing that came counts as delayed. */
  public static boolean isDelayed(Firing firing) {
    return !firing.manual()
        && switch (firing.outcome()) {
          case SKIPPED, MISSED -> true;
          case FIRED -> firing.missed() > 0 || isLate(firing);
          case QUEUED -> false;
        };
  }

  private static boolean isLate(Firing firing) {
    return firing.firedAt().isAfter(firing.scheduledFor().plus(LATE_AFTER));
  }

  /** When it was decided, or else when it should have come. */
  Instant at() {
    return firing == null ? scheduledFor : firing.firedAt();
  }

  /** How many firings it stands for: itself, and those that were missed before it. */
  long firings() {
    if (firing == null) {
      return 1;
    }
    boolean itself = firing.outcome() != Firing.Outcome.FIRED || isLate(firing);
    return firing.missed() + (itself ? 1 : 0);
  }
}
