// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.Duration;
import java.util.UUID;

/**
 * A schedule that could not fire. It is not paused: another node may be able to fire it, and it
 * goes on by itself when the cause is gone, by its misfire rule.
 *
 * @param problem what is wrong, without anything that the tasks contain
 * @param repeated whether it had the same problem before
 */
public record FiringProblem(UUID schedule, String name, String problem, boolean repeated) {

  /** Shorter than what counts as missed, so that a short problem misses no firing. */
  public static final Duration RETRY_AFTER = Duration.ofSeconds(30);

  private static final int MAX_CHARACTERS = 500;

  /** Messages of other exceptions can contain payloads, so only their type is named. */
  public static FiringProblem of(Schedule schedule, RuntimeException cause) {
    boolean ours =
        cause instanceof IllegalStateException || cause instanceof IllegalArgumentException;
    return of(
        schedule,
        ours && cause.getMessage() != null
            ? cause.getMessage()
            : "it failed with " + cause.getClass().getSimpleName());
  }

  /**
   * The database refused what the schedule submits.
   *
   * @param code the error code, and which constraint is violated if it is known
   */
  public static FiringProblem refused(Schedule schedule, String code) {
    return of(schedule, "the database refused its tasks: " + code);
  }

  private static FiringProblem of(Schedule schedule, String problem) {
    String text =
        problem.length() > MAX_CHARACTERS ? problem.substring(0, MAX_CHARACTERS) : problem;
    return new FiringProblem(schedule.id(), schedule.name(), text, text.equals(schedule.problem()));
  }
}
