// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import static dev.perdure.policy.simulate.ScenarioBuilder.scenario;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.within;

import dev.perdure.policy.Failure;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScenarioChecksTest {

  @Test
  void reports_all_errors_at_once() {
    Scenario nonsense =
        new Scenario(0, 0, 1, Duration.ZERO, -0.5, Duration.ZERO, ofMillis(4_999), Double.NaN, 1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> OutageSimulation.run(RetryPolicy.queue(), Failure.timeout(), nonsense))
        .withMessage(
            "invalid scenario: clients must be between 1 and 1000000, not 0; capacity must be between 1"
                + " and 1000000, not 0; load must be more than 0 and less than 1, not 1.0: at 1 or"
                + " more, the service falls behind without an outage; outage must be"
                + " between 1ms and 1d, not 0s; remaining must be between 0 and 1, not -0.5;"
                + " timeout must be between 1ms and 1d, not 0s; horizon must be between 5s and 7d,"
                + " not 4999ms; budget must be between 0 and 10, not NaN");
  }

  static Stream<ScenarioBuilder> inside() {
    return Stream.of(
        scenario(),
        scenario().clients(1),
        scenario().clients(1_000_000),
        scenario().capacity(1),
        scenario().capacity(1_000_000),
        scenario().load(Double.MIN_VALUE),
        scenario().load(Math.nextDown(1.0)),
        scenario().outage(ofMillis(1)),
        scenario().outage(ofDays(1)),
        scenario().remaining(0),
        scenario().remaining(1),
        scenario().timeout(ofMillis(1)),
        scenario().timeout(ofDays(1)),
        scenario().capacity(2).timeout(ofMillis(500)),
        scenario().horizon(ofSeconds(5)),
        scenario().horizon(ofDays(7)),
        scenario().budget(0),
        scenario().budget(10));
  }

  @ParameterizedTest
  @MethodSource("inside")
  void accepts_values_at_the_limits(ScenarioBuilder scenario) {
    assertThatNoException().isThrownBy(() -> ScenarioChecks.require(scenario.build()));
  }

  static Stream<ScenarioBuilder> outside() {
    return Stream.of(
        scenario().clients(0),
        scenario().clients(1_000_001),
        scenario().capacity(0),
        scenario().capacity(1_000_001),
        scenario().load(0),
        scenario().load(1),
        scenario().load(Double.NaN),
        scenario().outage(ofMillis(1).minusNanos(1)),
        scenario().outage(ofDays(1).plusNanos(1)),
        scenario().remaining(Math.nextDown(0.0)),
        scenario().remaining(Math.nextUp(1.0)),
        scenario().capacity(10_000).timeout(ofMillis(1).minusNanos(1)),
        scenario().timeout(ofMillis(-1)),
        scenario().timeout(ofDays(1).plusNanos(1)),
        scenario().capacity(2).timeout(ofMillis(499)),
        scenario().capacity(1).timeout(ofMillis(999)),
        scenario().horizon(ofSeconds(5).minusNanos(1)),
        scenario().horizon(ofDays(7).plusNanos(1)),
        scenario().budget(-0.1),
        scenario().budget(10.1));
  }

  @ParameterizedTest
  @MethodSource("outside")
  void rejects_values_beyond_the_limits(ScenarioBuilder scenario) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ScenarioChecks.require(scenario.build()))
        .withMessageStartingWith("invalid scenario: ")
        .withMessageNotContaining(";");
  }

  @Test
  void reports_how_long_a_request_takes() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> ScenarioChecks.require(scenario().capacity(2).timeout(ofMillis(499)).build()))
        .withMessage(
            "invalid scenario: timeout must be at least the PT0.5S that one request takes, not 499ms");
  }

  /** 20 seconds at 50 requests per second: 1,000 requests, plus a margin of 6 √1,000. */
  @Nested
  class Size {

    private static final double REQUESTS = 1_000 + 6 * Math.sqrt(1_000);

    private final Scenario scenario =
        scenario().capacity(100).load(0.5).outage(ofSeconds(5)).horizon(ofSeconds(10)).build();

    @Test
    void is_the_number_of_requests_times_their_attempts() {
      assertThat(maxAttempts(RetryPolicy.none())).isCloseTo(REQUESTS, within(1e-6));
      assertThat(maxAttempts(RetryPolicy.fixed(ofSeconds(1)).maxRetries(2).build()))
          .isCloseTo(3 * REQUESTS, within(1e-6));
    }

    @Test
    void is_limited_by_the_remaining_time() {
      assertThat(maxAttempts(RetryPolicy.immediate().unlimitedRetries().build()))
          .isCloseTo(11 * REQUESTS, within(1e-6));
    }

    @Test
    void uses_the_earliest_delays() {
      assertThat(maxAttempts(waiting(ofSeconds(4)))).isCloseTo(4 * REQUESTS, within(1e-6));
      assertThat(maxAttempts(waiting(ofMillis(3_999)))).isCloseTo(5 * REQUESTS, within(1e-6));
    }

    @Test
    void is_rejected_beyond_the_limit_with_four_times_the_outage() {
      Scenario large = scenario().capacity(1_000_000).build();

      assertThatIllegalArgumentException()
          .isThrownBy(() -> OutageSimulation.run(RetryPolicy.none(), Failure.timeout(), large))
          .withMessageMatching(
              "invalid scenario: the run may need 1\\d{8} attempts, but at most 20000000 are allowed: .*");
    }

    @Test
    void is_allowed_up_to_the_limit() {
      // 100,000 per second in 20 s are 2 million, plus a margin of 8,486; ten attempts each are too
      // many.
      Scenario large =
          scenario()
              .capacity(200_000)
              .load(0.5)
              .outage(ofSeconds(5))
              .horizon(ofSeconds(10))
              .build();

      assertThatNoException()
          .isThrownBy(() -> ScenarioChecks.requireSize(retrying(8), Failure.timeout(), large));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ScenarioChecks.requireSize(retrying(9), Failure.timeout(), large))
          .withMessageContaining("20084853 attempts");
    }

    private static RetryPolicy retrying(int retries) {
      return RetryPolicy.immediate().maxRetries(retries).build();
    }

    private static RetryPolicy waiting(Duration delay) {
      return RetryPolicy.fixed(delay).jitter(Jitter.none()).unlimitedRetries().build();
    }

    private double maxAttempts(RetryPolicy policy) {
      return ScenarioChecks.maxAttempts(policy, Failure.timeout(), scenario);
    }
  }
}
