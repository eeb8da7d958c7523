// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.policy.explain.RetryForecast;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of a task that are still to come, if its last failure repeats and attempts take no
 * time, and why they come then.
 *
 * @param why the last decision in words
 * @param coming at most {@link #MAX_COMING}
 * @param end when there is no further attempt; null if that is not known
 * @param more true if further attempts can follow
 */
public record TaskPlan(List<String> why, List<Coming> coming, @Nullable End end, boolean more) {

  public static final int MAX_COMING = 50;

  /**
   * An attempt to come.
   *
   * @param attempt its number, from 0
   * @param at when it is due, or most likely is; null while that depends on other tasks
   * @param latest null while that depends on other tasks
   * @param drawn true if the instant is stored, so that no jitter changes it
   * @param step the step of the ladder, from 1; null without a ladder
   */
  public record Coming(
      long attempt,
      @Nullable Instant at,
      Instant earliest,
      @Nullable Instant latest,
      boolean drawn,
      @Nullable Integer step) {

    static Coming of(long base, RetryForecast.Retry retry) {
      RetryForecast.Span at = retry.at();
      return new Coming(
          base + retry.attempt(),
          at.expected(),
          at.earliest(),
          at.latest(),
          false,
          retry.ladderPosition() == null ? null : retry.ladderPosition().step());
    }
  }

  /**
   * The end of the task.
   *
   * @param reason a give-up reason, {@code succeeded} or {@code canceled}
   */
  public record End(String reason, long afterAttempt, Instant earliest, Instant latest) {}

  public TaskPlan {
    why = List.copyOf(why);
    coming = List.copyOf(coming);
  }
}
