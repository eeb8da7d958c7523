// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.Failure;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Runs with a fixed list of arrivals, so that the results can be computed by hand. */
class OutageRunTest {

  private static final RetryPolicy TWICE =
      RetryPolicy.fixed(ofSeconds(1)).jitter(Jitter.none()).maxRetries(2).build();

  /** Stopped from 1 s to 3 s; an attempt takes 100 ms; clients wait 500 ms. */
  private static final ScenarioTimes STOPPED_FOR_TWO_SECONDS = times(1_000, 3_000, 500, 10_000);

  /**
   * The request at 1.0 s times out at 1.5 s, is sent again at 2.5 s, times out at 3.0 s, is sent
   * again at 4.0 s and answered at 4.1 s.
   */
  @Test
  void records_every_second() {
    OutageRun run = run(TWICE, STOPPED_FOR_TWO_SECONDS, at(200), at(1_000), at(6_000));

    OutageResult result = run.runToEnd().result(StabilityVerdict.STABLE);

    assertThat(result.seconds())
        .containsExactly(
            new OutageResult.Second(1, 1, 1, 0),
            new OutageResult.Second(1, 1, 0, 1),
            new OutageResult.Second(0, 1, 0, 2),
            new OutageResult.Second(0, 0, 0, 0),
            new OutageResult.Second(0, 1, 1, 0),
            new OutageResult.Second(0, 0, 0, 0),
            new OutageResult.Second(1, 1, 1, 0),
            new OutageResult.Second(0, 0, 0, 0),
            new OutageResult.Second(0, 0, 0, 0),
            new OutageResult.Second(0, 0, 0, 0));
    assertThat(result.requests()).isEqualTo(2);
    assertThat(result.attempts()).isEqualTo(4);
    assertThat(result.succeeded()).isEqualTo(2);
    assertThat(result.rejectedByBudget()).isZero();
    assertThat(result.drainTime()).isEqualTo(Duration.ZERO);
    assertThat(result.verdict()).isEqualTo(StabilityVerdict.STABLE);
    assertThat(result.amplification()).isEqualTo(2.0);
    assertThat(result.successRate()).isEqualTo(1.0);
    assertThat(run.openRequests()).isZero();
  }

  @Test
  void does_not_count_requests_from_before_the_outage() {
    OutageResult result =
        run(TWICE, STOPPED_FOR_TWO_SECONDS, at(999)).runToEnd().result(StabilityVerdict.STABLE);

    assertThat(result.requests()).isZero();
    assertThat(result.attempts()).isZero();
    assertThat(result.succeeded()).isZero();
    assertThat(result.amplification()).isEqualTo(1.0);
    assertThat(result.successRate()).isEqualTo(1.0);
    assertThat(result.seconds().stream().mapToInt(OutageResult.Second::sent).sum()).isEqualTo(3);
    assertThat(result.seconds().stream().mapToInt(OutageResult.Second::answered).sum())
        .isEqualTo(1);
  }

  @Test
  void gives_up_when_the_policy_does() {
    OutageRun run = run(RetryPolicy.none(), STOPPED_FOR_TWO_SECONDS, at(1_000), at(1_100));

    RunStatistics statistics = run.runToEnd();

    assertThat(statistics.totalFailed()).isEqualTo(2);
    assertThat(statistics.totalSent()).isEqualTo(2);
    assertThat(statistics.result(StabilityVerdict.STABLE).succeeded()).isZero();
    assertThat(run.openRequests()).isZero();
  }

  @Nested
  class TheDecisionContext {

    @Test
    void has_the_time_since_the_first_attempt() {
      assertThat(sentWith(expiringAfter(1_500))).isEqualTo(2);
      assertThat(sentWith(expiringAfter(1_499))).isEqualTo(1);
      assertThat(sentWith(expiringAfter(3_000))).isEqualTo(3);
      assertThat(sentWith(expiringAfter(2_999))).isEqualTo(2);
    }

    @Test
    void has_the_time_since_the_start_of_the_run() {
      assertThat(sentWith(expiringAt(2_500))).isEqualTo(2);
      assertThat(sentWith(expiringAt(2_499))).isEqualTo(1);
    }

    /**
     * Sent at 1.0 s, then 3 s and 9 s after a timeout; the next delay, 27 s, ends after the run.
     */
    @Test
    void has_the_previous_delay() {
      RetryPolicy decorrelated =
          RetryPolicy.linear(ofSeconds(1)).jitter(Jitter.decorrelated()).maxRetries(5).build();
      OutageRun run =
          new OutageRun(
              decorrelated,
              Failure.timeout(),
              times(1_000, 30_000, 500, 40_000),
              new FixedArrivals(at(1_000)),
              ClientBudgets.unlimited(),
              new MaxRandom());

      List<OutageResult.Second> seconds =
          run.runToEnd().result(StabilityVerdict.METASTABLE).seconds();

      assertThat(seconds.get(1).sent()).isEqualTo(1);
      assertThat(seconds.get(4).sent()).isEqualTo(1);
      assertThat(seconds.get(14).sent()).isEqualTo(1);
      assertThat(seconds.stream().mapToInt(OutageResult.Second::sent).sum()).isEqualTo(3);
      assertThat(run.openRequests()).isEqualTo(1);
    }

    private static RetryPolicy expiringAfter(long millis) {
      return RetryPolicy.fixed(ofSeconds(1))
          .jitter(Jitter.none())
          .expiresAfter(ofMillis(millis))
          .build();
    }

    private static RetryPolicy expiringAt(long millis) {
      return RetryPolicy.fixed(ofSeconds(1))
          .jitter(Jitter.none())
          .expiresAt(Instant.ofEpochMilli(millis))
          .build();
    }

    private static long sentWith(RetryPolicy policy) {
      return run(policy, STOPPED_FOR_TWO_SECONDS, at(1_000)).runToEnd().totalSent();
    }
  }

  @Nested
  class Boundaries {

    @Test
    void an_answer_exactly_at_the_timeout_is_in_time() {
      ScenarioTimes exact = times(5_000, 6_000, 100, 10_000);

      assertThat(run(TWICE, exact, at(0)).runToEnd().totalSent()).isEqualTo(1);
      assertThat(run(TWICE, exact, at(0), at(1)).runToEnd().totalSent()).isEqualTo(3);
    }

    @Test
    void an_answer_at_the_end_of_the_run_is_not_counted() {
      OutageRun seen = run(TWICE, STOPPED_FOR_TWO_SECONDS, at(9_899));
      OutageRun unseen = run(TWICE, STOPPED_FOR_TWO_SECONDS, at(9_900));

      assertThat(seen.runToEnd().result(StabilityVerdict.STABLE).succeeded()).isEqualTo(1);
      assertThat(unseen.runToEnd().result(StabilityVerdict.STABLE).succeeded()).isZero();
      assertThat(seen.openRequests()).isZero();
      assertThat(unseen.openRequests()).isEqualTo(1);
    }

    @Test
    void an_arrival_at_the_end_of_the_run_is_not_counted() {
      OutageResult result =
          run(TWICE, STOPPED_FOR_TWO_SECONDS, at(9_999), at(10_000))
              .runToEnd()
              .result(StabilityVerdict.STABLE);

      assertThat(result.requests()).isEqualTo(1);
      assertThat(result.seconds()).hasSize(10);
      assertThat(result.seconds().getLast().waiting()).isEqualTo(1);
    }

    /** The retry at 2.1 s is served before the request that arrives at 2.1 s. */
    @Test
    void a_retry_comes_before_an_arrival_at_the_same_instant() {
      RetryPolicy once =
          RetryPolicy.fixed(ofSeconds(1)).jitter(Jitter.none()).maxRetries(1).build();

      OutageResult result =
          run(once, times(1_000, 1_500, 100, 10_000), at(1_000), at(2_100))
              .runToEnd()
              .result(StabilityVerdict.STABLE);

      assertThat(result.succeeded()).isEqualTo(2);
      assertThat(result.seconds().get(2).answered()).isEqualTo(1);
      assertThat(result.seconds().get(3).answered()).isEqualTo(1);
    }
  }

  @Nested
  class WithABudget {

    /** Two requests of client 0 add up to one token, which the first retry takes. */
    @Test
    void rejects_retries_without_a_token() {
      OutageRun run =
          new OutageRun(
              TWICE,
              Failure.timeout(),
              STOPPED_FOR_TWO_SECONDS,
              new FixedArrivals(at(1_000), at(1_100), new Arrival(1_200, 1)),
              ClientBudgets.of(0.5, 2),
              new SplittableRandom(1));

      RunStatistics statistics = run.runToEnd();

      OutageResult result = statistics.result(StabilityVerdict.STABLE);
      assertThat(result.requests()).isEqualTo(3);
      assertThat(result.attempts()).isEqualTo(4);
      assertThat(result.rejectedByBudget()).isEqualTo(3);
      assertThat(statistics.totalFailed()).isEqualTo(3);
    }

    @Test
    void does_not_count_rejections_from_before_the_outage() {
      OutageRun run =
          new OutageRun(
              TWICE,
              Failure.timeout(),
              STOPPED_FOR_TWO_SECONDS,
              new FixedArrivals(at(999)),
              ClientBudgets.of(0.5, 1),
              new SplittableRandom(1));

      RunStatistics statistics = run.runToEnd();

      assertThat(statistics.result(StabilityVerdict.STABLE).rejectedByBudget()).isZero();
      assertThat(statistics.totalFailed()).isEqualTo(1);
    }
  }

  @Test
  void only_first_attempts_count_as_recovery() {
    // Each request finds the service busy with the retry of the previous one.
    Arrival[] arrivals = new Arrival[8];
    for (int i = 0; i < arrivals.length; i++) {
      arrivals[i] = at(1_000 + 1_100L * i);
    }
    RetryPolicy once = RetryPolicy.fixed(ofSeconds(1)).jitter(Jitter.none()).maxRetries(1).build();

    OutageResult result =
        run(once, times(1_000, 1_500, 100, 10_000), arrivals)
            .runToEnd()
            .result(StabilityVerdict.METASTABLE);

    assertThat(result.succeeded()).isEqualTo(8);
    assertThat(result.drainTime()).isNull();
  }

  @Test
  void a_retry_within_the_same_second_does_not_count_as_recovery() {
    // The second of two requests always times out first and succeeds at its retry.
    Arrival[] arrivals = new Arrival[16];
    for (int i = 0; i < arrivals.length; i++) {
      arrivals[i] = at(2_000 + 1_000L * (i / 2));
    }

    OutageResult result =
        run(
                RetryPolicy.immediate().maxRetries(1).build(),
                times(1_000, 1_500, 150, 10_000),
                arrivals)
            .runToEnd()
            .result(StabilityVerdict.METASTABLE);

    assertThat(result.succeeded()).isEqualTo(16);
    assertThat(result.drainTime()).isNull();
  }

  private record Arrival(long millis, int client) {}

  private static Arrival at(long millis) {
    return new Arrival(millis, 0);
  }

  private static OutageRun run(RetryPolicy policy, ScenarioTimes times, Arrival... arrivals) {
    return new OutageRun(
        policy,
        Failure.timeout(),
        times,
        new FixedArrivals(arrivals),
        ClientBudgets.unlimited(),
        new SplittableRandom(1));
  }

  /** A full stop between two instants; an attempt takes 100 ms. */
  private static ScenarioTimes times(long outageStart, long outageEnd, long timeout, long end) {
    return new ScenarioTimes(
        nanos(100), nanos(outageStart), nanos(outageEnd), 0, nanos(timeout), nanos(end));
  }

  private static long nanos(long millis) {
    return millis * 1_000_000;
  }

  /** A fixed list of arrivals. */
  private static final class FixedArrivals implements Arrivals {

    private final Arrival[] arrivals;
    private int next;

    FixedArrivals(Arrival... arrivals) {
      this.arrivals = arrivals;
    }

    @Override
    public long time() {
      return next < arrivals.length ? nanos(arrivals[next].millis()) : Long.MAX_VALUE;
    }

    @Override
    public int client() {
      return arrivals[next].client();
    }

    @Override
    public void advance() {
      next++;
    }
  }

  /** Always draws the highest number. */
  private static final class MaxRandom implements RandomGenerator {

    @Override
    public long nextLong() {
      return Long.MAX_VALUE;
    }

    @Override
    public long nextLong(long origin, long bound) {
      return bound - 1;
    }
  }
}
