// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.chart;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.Failure;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.Timeline;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CondensedTimelineTest {

  private static Timeline timeline(RetryPolicy policy) {
    return Timeline.untilEnd(policy, List.of(Failure.timeout()), Instant.EPOCH, 1_000);
  }

  /** Retries as numbers, gaps as their size, the end as a dot. */
  private static String sketch(Timeline timeline, boolean goesOn) {
    return CondensedTimeline.of(timeline, goesOn).stream()
        .map(
            row ->
                switch (row) {
                  case CondensedTimeline.RetryRow shown ->
                      Long.toString(shown.retry().attempt() + 1);
                  case CondensedTimeline.EndRow shown -> ".";
                  case CondensedTimeline.GapRow gap -> "(" + gap.entries() + ")";
                })
        .collect(Collectors.joining(" "));
  }

  @Test
  void keeps_short_timelines() {
    assertThat(sketch(timeline(RetryPolicy.fixed(ofSeconds(1)).maxRetries(4).build()), false))
        .isEqualTo("1 2 3 4 .");
    assertThat(
            sketch(timeline(RetryPolicy.exponential(ofSeconds(1)).maxRetries(21).build()), false))
        .isEqualTo("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 .");
  }

  @Test
  void shortens_a_run_of_equal_delays() {
    assertThat(sketch(timeline(RetryPolicy.fixed(ofSeconds(1)).maxRetries(9).build()), false))
        .isEqualTo("1 2 (6) 9 .");
  }

  @Test
  void keeps_every_step_of_a_ladder() {
    RetryPolicy ladder =
        RetryPolicy.ladder(
                Backoff.step(10, ofSeconds(1)),
                Backoff.step(10, ofSeconds(1)),
                Backoff.forever(ofSeconds(9)))
            .jitter(Jitter.none())
            .build();

    assertThat(sketch(timeline(ladder), true)).isEqualTo("1 2 (7) 10 11 12 (7) 20 21 22 (978)");
  }

  @Test
  void keeps_the_first_and_the_last_of_many_different_delays() {
    assertThat(sketch(timeline(RetryPolicy.linear(ofSeconds(1)).maxRetries(100).build()), false))
        .isEqualTo("1 2 3 4 5 6 7 8 9 10 11 12 13 14 (82) 97 98 99 100 .");
  }

  @Test
  void shows_the_end_once() {
    RetryPolicy once = RetryPolicy.fixed(ofSeconds(1)).maxRetries(1).build();
    Timeline past = Timeline.ofAttempts(once, List.of(Failure.timeout()), Instant.EPOCH, 5);

    assertThat(sketch(past, false)).isEqualTo("1 . (3)");
  }
}
