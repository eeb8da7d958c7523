// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import static dev.perdure.policy.Backoff.forever;
import static dev.perdure.policy.Backoff.step;
import static dev.perdure.policy.FailureMatcher.status;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.Failure;
import dev.perdure.policy.GiveUpReason;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.LadderPosition;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TimelineTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Failure FAILURE = Failure.http(503);

  @Test
  void sums_the_delays_and_names_the_reason_for_giving_up() {
    RetryPolicy policy = RetryPolicy.exponential(ofSeconds(1)).maxRetries(3).build();

    Timeline timeline = untilEnd(policy, FAILURE);

    assertThat(timeline.entries())
        .containsExactly(
            retry(0, 1_000, range(750, 1_000, 1_250), range(750, 1_000, 1_250)),
            retry(1, 2_000, range(1_500, 2_000, 2_500), range(2_250, 3_000, 3_750)),
            retry(2, 4_000, range(3_000, 4_000, 5_000), range(5_250, 7_000, 8_750)),
            new Timeline.End(3, GiveUpReason.EXHAUSTED));
    assertThat(timeline.retries()).isEqualTo(3);
    assertThat(timeline.total()).isEqualTo(range(5_250, 7_000, 8_750));
    assertThat(timeline.end()).isEqualTo(GiveUpReason.EXHAUSTED);
  }

  @Test
  void has_only_an_end_for_failures_that_are_not_retried() {
    Timeline timeline = untilEnd(RetryPolicy.none(), FAILURE);

    assertThat(timeline.entries()).containsExactly(new Timeline.End(0, GiveUpReason.NO_POLICY));
    assertThat(timeline.retries()).isZero();
    assertThat(timeline.total()).isEqualTo(range(0, 0, 0));
    assertThat(timeline.end()).isEqualTo(GiveUpReason.NO_POLICY);
  }

  @Test
  void goes_on_until_the_policy_gives_up() {
    RetryPolicy policy = RetryPolicy.fixed(ofSeconds(1)).maxRetries(3).build();
    List<Failure> failures = List.of(FAILURE);

    assertThat(Timeline.ofAttempts(policy, failures, START, 3).goesOn()).isTrue();
    assertThat(Timeline.ofAttempts(policy, failures, START, 4).goesOn()).isFalse();
    assertThat(Timeline.ofAttempts(policy, failures, START, 9).goesOn()).isFalse();
    List<Failure> permanentFirst = List.of(FAILURE.withPermanent(true), FAILURE);
    assertThat(Timeline.ofAttempts(policy, permanentFirst, START, 2).goesOn()).isFalse();
  }

  @Test
  void rounds_the_mean_to_whole_milliseconds() {
    RetryPolicy policy =
        RetryPolicy.schedule(ofMillis(3), ofMillis(4)).jitter(Jitter.full()).build();

    assertThat(untilEnd(policy, FAILURE).entries())
        .startsWith(
            retry(0, 3, range(0, 1, 3), range(0, 1, 3)),
            retry(1, 4, range(0, 2, 4), range(0, 3, 7)));
  }

  @Nested
  class Decorrelated {

    @Test
    void follows_the_earliest_mean_and_latest_previous_delay() {
      RetryPolicy policy =
          RetryPolicy.exponential(ofSeconds(1))
              .jitter(Jitter.decorrelated())
              .maxDelay(ofSeconds(10))
              .maxRetries(3)
              .build();

      assertThat(untilEnd(policy, FAILURE).entries())
          .startsWith(
              retry(0, 1_000, range(1_000, 2_000, 3_000), range(1_000, 2_000, 3_000)),
              retry(1, 2_000, range(1_000, 3_500, 9_000), range(2_000, 5_500, 12_000)),
              retry(2, 4_000, range(1_000, 5_500, 10_000), range(3_000, 11_000, 22_000)));
    }

    @Test
    void continues_from_a_requested_delay() {
      RetryPolicy policy =
          RetryPolicy.linear(ofSeconds(1)).jitter(Jitter.decorrelated()).maxRetries(2).build();

      assertThat(untilEnd(policy, FAILURE.withRequestedDelay(ofSeconds(5)), FAILURE).entries())
          .startsWith(
              retry(0, 5_000, range(5_000, 5_000, 5_000), range(5_000, 5_000, 5_000)),
              retry(1, 2_000, range(1_000, 8_000, 15_000), range(6_000, 13_000, 20_000)));
    }
  }

  @Nested
  class Expiring {

    private final RetryPolicy policy = expiringAfter(ofSeconds(25));

    @Test
    void counts_unjittered_delays_as_age() {
      assertThat(untilEnd(policy, FAILURE).entries())
          .containsExactly(
              retry(0, 10_000, range(0, 5_000, 10_000), range(0, 5_000, 10_000)),
              retry(1, 10_000, range(0, 5_000, 10_000), range(0, 10_000, 20_000)),
              new Timeline.End(2, GiveUpReason.EXPIRED));
    }

    @Test
    void retries_exactly_at_the_expiry() {
      assertThat(untilEnd(expiringAfter(ofSeconds(20)), FAILURE).retries()).isEqualTo(2);
      assertThat(untilEnd(expiringAfter(ofMillis(19_999)), FAILURE).retries()).isEqualTo(1);
    }

    @Test
    void compares_expires_at_with_the_start() {
      RetryPolicy atAnInstant =
          RetryPolicy.fixed(ofSeconds(10))
              .jitter(Jitter.full())
              .maxRetries(5)
              .expiresAt(START.plusSeconds(20))
              .build();

      assertThat(untilEnd(atAnInstant, FAILURE).retries()).isEqualTo(2);
      Timeline later = Timeline.untilEnd(atAnInstant, List.of(FAILURE), START.plusMillis(1), 10);
      assertThat(later.retries()).isEqualTo(1);
      assertThat(later.end()).isEqualTo(GiveUpReason.EXPIRED);
    }

    @Test
    void counts_retry_after_in_full() {
      Failure hinted = FAILURE.withRetryAfter(ofSeconds(15));

      assertThat(untilEnd(policy, hinted, FAILURE).entries())
          .containsExactly(
              retry(0, 15_000, range(15_000, 15_000, 15_000), range(15_000, 15_000, 15_000)),
              retry(1, 10_000, range(0, 5_000, 10_000), range(15_000, 20_000, 25_000)),
              new Timeline.End(2, GiveUpReason.EXPIRED));
    }

    private RetryPolicy expiringAfter(Duration age) {
      return RetryPolicy.fixed(ofSeconds(10))
          .jitter(Jitter.full())
          .maxRetries(5)
          .expiresAfter(age)
          .build();
    }
  }

  @Nested
  class OnALadder {

    @Test
    void shows_the_step_and_the_retry_within_it() {
      RetryPolicy policy =
          RetryPolicy.ladder(step(2, ofMinutes(5)), step(1, ofHours(1)))
              .jitter(Jitter.none())
              .build();

      assertThat(positions(untilEnd(policy, FAILURE)))
          .containsExactly(
              new LadderPosition(1, 2, 1, 2),
              new LadderPosition(1, 2, 2, 2),
              new LadderPosition(2, 2, 1, 1));
      assertThat(untilEnd(policy, FAILURE).end()).isEqualTo(GiveUpReason.EXHAUSTED);
    }

    @Test
    void continues_counting_on_an_endless_step() {
      RetryPolicy policy = RetryPolicy.ladder(step(1, ofMinutes(5)), forever(ofHours(1))).build();

      assertThat(positions(Timeline.untilEnd(policy, List.of(FAILURE), START, 3)))
          .containsExactly(
              new LadderPosition(1, 2, 1, 1),
              new LadderPosition(2, 2, 1, 0),
              new LadderPosition(2, 2, 2, 0));
    }

    @Test
    void shows_the_ladder_of_the_override_that_applies() {
      PolicyOverride slower =
          PolicyOverride.on(status(429)).withBackoff(Backoff.ladder(step(3, ofHours(1))));
      RetryPolicy policy = RetryPolicy.fixed(ofSeconds(1)).override(slower).build();

      assertThat(positions(untilEnd(policy, Failure.http(429), FAILURE)))
          .containsExactly(new LadderPosition(1, 1, 1, 3), null, null);
    }

    @Test
    void shows_no_position_when_an_override_replaces_the_ladder() {
      PolicyOverride fixed =
          PolicyOverride.on(status(429)).withBackoff(Backoff.fixed(ofSeconds(1)));
      RetryPolicy policy =
          RetryPolicy.ladder(step(2, ofMinutes(5))).maxRetries(2).override(fixed).build();

      assertThat(positions(untilEnd(policy, Failure.http(429), FAILURE)))
          .containsExactly(null, new LadderPosition(1, 1, 2, 2));
    }

    private static List<LadderPosition> positions(Timeline timeline) {
      return timeline.entries().stream()
          .filter(Timeline.Retry.class::isInstance)
          .map(entry -> ((Timeline.Retry) entry).ladderPosition())
          .toList();
    }
  }

  @Nested
  class AsATable {

    private final RetryPolicy policy =
        RetryPolicy.fixed(ofSeconds(1))
            .jitter(Jitter.none())
            .maxRetries(2)
            .retryOn(status(503))
            .expiresAfter(ofSeconds(1))
            .build();

    @Test
    void continues_after_the_end() {
      assertThat(Timeline.ofAttempts(policy, List.of(FAILURE), START, 4).entries())
          .containsExactly(
              retry(0, 1_000, exactly(1_000), exactly(1_000)),
              new Timeline.End(1, GiveUpReason.EXPIRED),
              new Timeline.End(2, GiveUpReason.EXHAUSTED),
              new Timeline.End(3, GiveUpReason.EXHAUSTED));
    }

    @Test
    void does_not_age_without_a_retry() {
      List<Failure> failures = List.of(Failure.timeout(), FAILURE);

      assertThat(Timeline.ofAttempts(policy, failures, START, 2).entries())
          .containsExactly(
              new Timeline.End(0, GiveUpReason.NOT_RETRYABLE),
              retry(1, 1_000, exactly(1_000), exactly(1_000)));
    }
  }

  @Nested
  class Limits {

    private final RetryPolicy endless =
        RetryPolicy.fixed(ofDays(36_500))
            .maxDelay(ofDays(36_500))
            .jitter(Jitter.none())
            .unlimitedRetries()
            .build();

    @Test
    void stops_at_the_maximum_number_of_entries() {
      Timeline timeline = Timeline.untilEnd(endless, List.of(FAILURE), START, 3);

      assertThat(timeline.entries()).hasSize(3);
      assertThat(timeline.end()).isNull();
      assertThat(Timeline.untilEnd(endless, List.of(FAILURE), START, 1).entries()).hasSize(1);
    }

    @Test
    void sums_the_longest_delays_without_overflow() {
      Timeline timeline =
          Timeline.ofAttempts(endless, List.of(FAILURE), START, Timeline.MAX_ENTRIES);

      assertThat(timeline.entries()).hasSize(Timeline.MAX_ENTRIES);
      assertThat(timeline.total().latest())
          .isEqualTo(ofDays(36_500).multipliedBy(Timeline.MAX_ENTRIES));
    }

    @Test
    void handles_the_last_instant() {
      RetryPolicy policy =
          RetryPolicy.fixed(ofSeconds(1)).maxRetries(3).expiresAt(Instant.MAX).build();

      assertThat(Timeline.untilEnd(policy, List.of(FAILURE), Instant.MAX, 10).end())
          .isEqualTo(GiveUpReason.EXPIRED);
      Instant almost = Instant.MAX.truncatedTo(ChronoUnit.MILLIS).minusSeconds(2);
      assertThat(Timeline.untilEnd(policy, List.of(FAILURE), almost, 10).retries()).isEqualTo(2);
    }

    @Test
    void rejects_invalid_sizes_and_failures() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Timeline.untilEnd(endless, List.of(FAILURE), START, 0))
          .withMessage("maxEntries must be between 1 and 100000, not 0");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Timeline.ofAttempts(endless, List.of(FAILURE), START, 100_001))
          .withMessage("attempts must be between 1 and 100000, not 100001");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Timeline.untilEnd(endless, List.of(), START, 1))
          .withMessageContaining("failures");
      assertThat(new Timeline(List.of()).end()).isNull();
    }
  }

  private static Timeline untilEnd(RetryPolicy policy, Failure... failures) {
    return Timeline.untilEnd(policy, List.of(failures), START, 100);
  }

  private static Timeline.Retry retry(
      long attempt, long base, Timeline.Range delay, Timeline.Range total) {
    return new Timeline.Retry(attempt, ofMillis(base), delay, total, null);
  }

  private static Timeline.Range exactly(long millis) {
    return range(millis, millis, millis);
  }

  private static Timeline.Range range(long earliest, long expected, long latest) {
    return new Timeline.Range(ofMillis(earliest), ofMillis(expected), ofMillis(latest));
  }

  @Test
  void no_total_exceeds_the_expiry() {
    RetryPolicy policy =
        RetryPolicy.fixed(Duration.ofSeconds(10))
            .jitter(Jitter.spread(1))
            .maxRetries(9)
            .expiresAfter(Duration.ofSeconds(30))
            .build();

    Timeline timeline = Timeline.untilEnd(policy, List.of(Failure.timeout()), Instant.EPOCH, 100);

    assertThat(timeline.total().latest()).isEqualTo(Duration.ofSeconds(30));
    assertThat(timeline.total().expected()).isLessThanOrEqualTo(Duration.ofSeconds(30));
  }
}
