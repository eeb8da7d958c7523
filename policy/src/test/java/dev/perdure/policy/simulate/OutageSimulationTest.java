// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import static dev.perdure.policy.simulate.ScenarioBuilder.scenario;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.RepresentativeFailure;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutageSimulationTest {

  /** The usual recommendation: exponential backoff with full jitter and few retries. */
  private static final RetryPolicy RECOMMENDED =
      RetryPolicy.exponential(ofMillis(100))
          .maxDelay(ofSeconds(2))
          .maxRetries(3)
          .jitter(Jitter.full())
          .build();

  private static final Scenario SMALL = scenario().clients(200).capacity(200).build();

  @Test
  void the_verdict_alone_is_that_of_the_report() {
    for (RetryPolicy policy : List.of(RECOMMENDED, RetryPolicy.none(), RetryPolicy.http())) {
      Failure failure = RepresentativeFailure.of(policy);
      assertThat(OutageSimulation.verdict(policy, failure, SMALL))
          .isEqualTo(OutageSimulation.run(policy, failure, SMALL).withPolicy().verdict());
    }
  }

  @Test
  void rejects_an_invalid_scenario() {
    Scenario invalid = scenario().load(1).clients(0).build();

    assertThatExceptionOfType(InvalidScenarioException.class)
        .isThrownBy(() -> OutageSimulation.verdict(RetryPolicy.none(), Failure.timeout(), invalid))
        .satisfies(
            thrown ->
                assertThat(thrown.errors())
                    .extracting(FieldError::path)
                    .containsExactly("clients", "load"));
  }

  @Test
  void a_scenario_knows_when_its_outage_begins_and_ends() {
    Scenario scenario = scenario().outage(ofSeconds(7)).build();

    assertThat(scenario.outageStart()).isEqualTo(ofSeconds(5));
    assertThat(scenario.outageEnd()).isEqualTo(ofSeconds(12));
  }

  @Test
  void verdicts_have_names_in_lower_case() {
    assertThat(StabilityVerdict.values())
        .extracting(StabilityVerdict::text)
        .containsExactly("stable", "vulnerable", "metastable");
  }

  /** Backoff only delays the load: with many independent clients, it does not reduce it. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 42})
  void backoff_and_jitter_do_not_save_an_overloaded_service_but_a_budget_does(long seed) {
    OutageSimulation.Report report = report(RECOMMENDED, scenario().seed(seed).build());

    assertThat(report.withoutRetries().verdict()).isEqualTo(StabilityVerdict.STABLE);
    assertThat(report.withoutRetries().amplification()).isEqualTo(1.0);
    // The outage leaves 400 requests per second for 10 s. The service then drains 400 per second,
    // and recovers once the rest takes less than the timeout of 1 s.
    assertThat(report.withoutRetries().drainTime()).isBetween(ofSeconds(6), ofSeconds(9));

    assertThat(report.withPolicy().verdict()).isEqualTo(StabilityVerdict.METASTABLE);
    assertThat(report.withPolicy().drainTime()).isNull();
    assertThat(report.withPolicy().amplification()).isBetween(3.8, 4.0);
    assertThat(report.withPolicy().successRate()).isLessThan(0.01);

    assertThat(report.withBudget().verdict()).isEqualTo(StabilityVerdict.STABLE);
    assertThat(report.withBudget().drainTime()).isBetween(ofSeconds(6), ofSeconds(15));
    assertThat(report.withBudget().amplification()).isBetween(1.0, 1.1);
    assertThat(report.withBudget().rejectedByBudget()).isPositive();
  }

  @Nested
  class Seeds {

    @Test
    void the_same_seed_gives_the_same_report() {
      assertThat(report(RECOMMENDED, SMALL)).isEqualTo(report(RECOMMENDED, SMALL));
    }

    @Test
    void another_seed_gives_another_report() {
      Scenario other = scenario().clients(200).capacity(200).seed(43).build();

      assertThat(report(RECOMMENDED, SMALL).withPolicy().seconds())
          .isNotEqualTo(report(RECOMMENDED, other).withPolicy().seconds());
    }

    @Test
    void the_three_runs_see_the_same_arrivals() {
      OutageSimulation.Report report = report(RECOMMENDED, SMALL);

      assertThat(perSecond(report.withPolicy(), OutageResult.Second::arrived))
          .isEqualTo(perSecond(report.withoutRetries(), OutageResult.Second::arrived))
          .isEqualTo(perSecond(report.withBudget(), OutageResult.Second::arrived));
    }
  }

  @Nested
  class Verdicts {

    /** A fifth of the capacity is enough for a load of 10 %. */
    @Test
    void a_service_with_spare_capacity_is_stable() {
      OutageSimulation.Report report =
          report(RECOMMENDED, scenario().clients(200).capacity(200).load(0.1).build());

      runs(report)
          .forEach(
              result -> {
                assertThat(result.verdict()).isEqualTo(StabilityVerdict.STABLE);
                assertThat(result.drainTime()).isEqualTo(Duration.ZERO);
                assertThat(result.successRate()).isCloseTo(1, within(0.01));
                assertThat(result.amplification()).isEqualTo(1);
              });
    }

    /** At half its speed the queue is 0.6 s long after 3 s, and 2.4 s after 12 s. */
    @Test
    void a_service_that_fails_only_after_a_longer_outage_is_vulnerable() {
      OutageSimulation.Report report =
          report(RECOMMENDED, scenario().outage(ofSeconds(3)).remaining(0.5).build());

      assertThat(report.withoutRetries().verdict()).isEqualTo(StabilityVerdict.STABLE);
      assertThat(report.withPolicy().verdict()).isEqualTo(StabilityVerdict.VULNERABLE);
      assertThat(report.withPolicy().drainTime()).isEqualTo(Duration.ZERO);
      assertThat(report.withBudget().verdict()).isEqualTo(StabilityVerdict.STABLE);
    }

    /**
     * Draining an outage four times as long takes longer than the horizon, which is extended for
     * it.
     */
    @Test
    void a_long_drain_alone_is_not_vulnerable() {
      Scenario narrow =
          scenario()
              .clients(200)
              .capacity(200)
              .load(0.8)
              .remaining(0)
              .outage(ofSeconds(5))
              .horizon(ofSeconds(24))
              .build();

      OutageResult result = report(RetryPolicy.none(), narrow).withoutRetries();

      assertThat(result.drainTime()).isGreaterThan(ofSeconds(10));
      assertThat(result.verdict()).isEqualTo(StabilityVerdict.STABLE);
    }

    /**
     * All retries of the outage come back together a minute later and overload the service again.
     */
    @Test
    void a_second_wave_is_detected() {
      RetryPolicy together =
          RetryPolicy.fixed(ofSeconds(60)).maxRetries(3).jitter(Jitter.none()).build();
      Scenario busy = scenario().clients(200).capacity(200).load(0.7).horizon(ofMinutes(5)).build();

      OutageSimulation.Report report = report(together, busy);

      assertThat(report.withPolicy().seconds().subList(35, 60))
          .allSatisfy(second -> assertThat(second.waiting()).isLessThan(50));
      assertThat(report.withPolicy().verdict()).isEqualTo(StabilityVerdict.METASTABLE);
      assertThat(report.withoutRetries().verdict()).isEqualTo(StabilityVerdict.STABLE);
      assertThat(report.withBudget().verdict()).isEqualTo(StabilityVerdict.STABLE);
    }

    @Test
    void delays_of_minutes_are_simulated_if_the_horizon_is_long_enough() {
      RetryPolicy slow = RetryPolicy.fixed(ofMinutes(5)).maxRetries(2).build();
      Scenario long30 =
          scenario().clients(200).capacity(200).load(0.3).horizon(ofMinutes(30)).build();

      OutageSimulation.Report report = report(slow, long30);

      assertThat(report.withoutRetries().successRate()).isLessThan(0.999);
      assertThat(report.withPolicy().successRate()).isGreaterThan(0.999);
      assertThat(report.withPolicy().verdict()).isEqualTo(StabilityVerdict.STABLE);
    }

    @Test
    void an_endless_policy_can_be_simulated() {
      RetryPolicy endless = RetryPolicy.fixed(ofSeconds(1)).unlimitedRetries().build();

      OutageSimulation.Report report = report(endless, SMALL);

      assertThat(report.withPolicy().verdict()).isEqualTo(StabilityVerdict.METASTABLE);
      assertThat(report.withPolicy().amplification()).isGreaterThan(10);
    }
  }

  @Test
  void runs_from_five_seconds_before_the_outage_to_the_horizon_after_it() {
    Scenario odd =
        scenario()
            .clients(10)
            .capacity(10)
            .outage(ofMillis(1_500))
            .horizon(ofMillis(7_100))
            .build();

    OutageResult result = report(RECOMMENDED, odd).withPolicy();

    assertThat(OutageSimulation.WARM_UP).isEqualTo(ofSeconds(5));
    assertThat(result.seconds()).hasSize(14);
    assertThat(result.requests())
        .isEqualTo(sum(perSecond(result, OutageResult.Second::arrived).subList(5, 14)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void its_counters_are_consistent(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Scenario scenario = scenarioOf(random);
    RetryPolicy policy = policyOf(random);

    OutageSimulation.Report report = report(policy, scenario);

    runs(report)
        .forEach(
            result -> {
              String what = "seed %d, %s, %s, %s".formatted(seed, scenario, policy, result);
              assertThat(result.attempts()).as(what).isGreaterThanOrEqualTo(result.requests());
              assertThat(result.succeeded()).as(what).isBetween(0L, result.requests());
              assertThat(result.drainTime() == null)
                  .as(what)
                  .isEqualTo(result.verdict() == StabilityVerdict.METASTABLE);
              assertThat(result.requests())
                  .as(what)
                  .isEqualTo(
                      sum(
                          perSecond(result, OutageResult.Second::arrived)
                              .subList(5, result.seconds().size())));
              assertThat(sum(perSecond(result, OutageResult.Second::sent)))
                  .as(what)
                  .isGreaterThanOrEqualTo(sum(perSecond(result, OutageResult.Second::arrived)));
            });
    assertThat(report.withoutRetries().amplification()).isEqualTo(1);
    assertThat(report.withoutRetries().rejectedByBudget()).isZero();
    assertThat(report.withPolicy().rejectedByBudget()).isZero();
    OutageResult withBudget = report.withBudget();
    long retries = withBudget.attempts() - withBudget.requests();
    assertThat((double) retries)
        .isLessThanOrEqualTo(
            scenario.budget() * sum(perSecond(withBudget, OutageResult.Second::arrived)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void every_request_is_answered_given_up_or_open(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Scenario scenario = scenarioOf(random);
    OutageRun run =
        new OutageRun(
            policyOf(random),
            Failure.timeout(),
            ScenarioTimes.of(scenario),
            new PoissonArrivals(
                scenario.load() * scenario.capacity(), scenario.clients(), random.split()),
            ClientBudgets.of(scenario.budget(), scenario.clients()),
            random.split());

    RunStatistics statistics = run.runToEnd();

    OutageResult result = statistics.result(StabilityVerdict.STABLE);
    assertThat(sum(perSecond(result, OutageResult.Second::arrived)))
        .as("seed %d", seed)
        .isEqualTo(
            sum(perSecond(result, OutageResult.Second::answered))
                + statistics.totalFailed()
                + run.openRequests());
    assertThat(sum(perSecond(result, OutageResult.Second::sent))).isEqualTo(statistics.totalSent());
  }

  private static Scenario scenarioOf(SplittableRandom random) {
    return scenario()
        .clients(random.nextInt(1, 50))
        .capacity(random.nextInt(5, 100))
        .load(random.nextDouble(0.05, 0.95))
        .outage(ofMillis(random.nextInt(500, 8_000)))
        .remaining(random.nextInt(3) == 0 ? 0 : random.nextDouble())
        .timeout(ofMillis(random.nextInt(200, 3_000)))
        .horizon(ofMillis(random.nextInt(5_000, 60_000)))
        .budget(random.nextDouble(0.5))
        .seed(random.nextLong())
        .build();
  }

  private static RetryPolicy policyOf(SplittableRandom random) {
    List<Backoff> backoffs =
        List.of(
            Backoff.immediate(),
            Backoff.fixed(ofMillis(random.nextInt(1, 5_000))),
            Backoff.exponential(ofMillis(random.nextInt(1, 500)), 2));
    Backoff backoff = backoffs.get(random.nextInt(3));
    RetryPolicy frame = RetryPolicy.immediate().maxRetries(random.nextInt(8)).build();
    return new RetryPolicy(
        frame.maxRetries(),
        backoff,
        random.nextBoolean() ? Jitter.full() : Jitter.none(),
        null,
        frame.expiry(),
        frame.retryOn(),
        frame.neverOn(),
        frame.retryAfter(),
        frame.overrides());
  }

  private static OutageSimulation.Report report(RetryPolicy policy, Scenario scenario) {
    return OutageSimulation.run(policy, RepresentativeFailure.of(policy), scenario);
  }

  private static Stream<OutageResult> runs(OutageSimulation.Report report) {
    return Stream.of(report.withoutRetries(), report.withPolicy(), report.withBudget());
  }

  private static List<Integer> perSecond(
      OutageResult result, ToIntFunction<OutageResult.Second> count) {
    return result.seconds().stream().mapToInt(count).boxed().toList();
  }

  private static long sum(List<Integer> counts) {
    return counts.stream().mapToLong(Integer::longValue).sum();
  }
}
