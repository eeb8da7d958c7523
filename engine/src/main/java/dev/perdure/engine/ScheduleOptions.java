// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.schedule.Misfire;
import dev.perdure.engine.schedule.Overlap;
import org.jspecify.annotations.Nullable;

/**
 * Options of a schedule. Immutable: each method returns a copy.
 *
 * @param overlap what happens at a firing while the schedule is busy
 * @param misfire what happens to missed firings
 * @param enabled false to create it paused
 * @param asGiven what it submits as JSON, to show; null when there is none
 */
public record ScheduleOptions(
    Overlap overlap, Misfire misfire, boolean enabled, @Nullable String asGiven) {

  /** Skips firings while it is busy, and catches up once. */
  public static ScheduleOptions defaults() {
    return new ScheduleOptions(Overlap.SKIP, Misfire.FIRE_ONCE, true, null);
  }

  public ScheduleOptions withOverlap(Overlap value) {
    return new ScheduleOptions(value, misfire, enabled, asGiven);
  }

  public ScheduleOptions withMisfire(Misfire value) {
    return new ScheduleOptions(overlap, value, enabled, asGiven);
  }

  public ScheduleOptions withEnabled(boolean value) {
    return new ScheduleOptions(overlap, misfire, value, asGiven);
  }

  public ScheduleOptions withAsGiven(@Nullable String json) {
    return new ScheduleOptions(overlap, misfire, enabled, json);
  }
}
