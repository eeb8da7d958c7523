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
  void tells_everything_that_is_wrong_at_once() {
    Scenario nonsense =
        new Scenario(0, 0, 1, Duration.ZERO, -0.5, Duration.ZERO, ofMillis(4_999), Double.NaN, 1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> OutageSimulation.run(RetryPolicy.queue(), Failure.timeout(), nonsense))
        .withMessage(
            "scenario: clients must be between 1 and 1000000, not 0; capacity must be between 1 and"
                + " 1000000, not 0; load must be more than 0 and less than 1, not 1.0: a service"
                + " with more to do than it can do falls behind without any outage; outage must be"
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
  void accepts_what_lies_on_the_edge(ScenarioBuilder scenario) {
    assertThatNoException().isThrownBy(() -> ScenarioChecks.require(scenario.build()));
  }

  static Stream<ScenarioBuilder> outside() {
    return Stream.of(
        scenario().clients(0),
        scenario().clients(1_000_001),
        scenario().capacity(1_000_001),
        scenario().load(0),
        scenario().load(1),
        scenario().load(Double.NaN),
        scenario().outage(ofMillis(1).minusNanos(1)),
        scenario().outage(ofDays(1).plusNanos(1)),
        scenario().remaining(Math.nextDown(0.0)),
        scenario().remaining(Math.nextUp(1.0)),
        scenario().capacity(10_000).timeout(ofMillis(1).minusNanos(1)),
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
  void refuses_what_lies_beyond_it(ScenarioBuilder scenario) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ScenarioChecks.require(scenario.build()))
        .withMessageStartingWith("scenario: ")
        .withMessageNotContaining(";");
  }

  @Test
  void says_how_long_a_request_takes() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> ScenarioChecks.require(scenario().capacity(2).timeout(ofMillis(499)).build()))
        .withMessage(
            "scenario: timeout must be at least the PT0.5S that one request takes, not 499ms");
  }

  /** 20 seconds at 50 requests per second: 1,000, and surely not more than 6 √1,000 beside. */
  @Nested
  class Size {

    private static final double REQUESTS = 1_000 + 6 * Math.sqrt(1_000);

    private final Scenario scenario =
        scenario().capacity(100).load(0.5).outage(ofSeconds(5)).horizon(ofSeconds(10)).build();

    @Test
    void is_the_number_of_requests_times_their_attempts() {
      assertThat(most(RetryPolicy.none())).isCloseTo(REQUESTS, within(1e-6));
      assertThat(most(RetryPolicy.fixed(ofSeconds(1)).maxRetries(2).build()))
          .isCloseTo(3 * REQUESTS, within(1e-6));
    }

    @Test
    void is_bounded_by_the_time_that_is_left() {
      assertThat(most(RetryPolicy.immediate().unlimitedRetries().build()))
          .isCloseTo(11 * REQUESTS, within(1e-6));
    }

    @Test
    void knows_how_long_the_delays_are_at_least() {
      assertThat(most(waiting(ofSeconds(4)))).isCloseTo(4 * REQUESTS, within(1e-6));
      assertThat(most(waiting(ofMillis(3_999)))).isCloseTo(5 * REQUESTS, within(1e-6));
    }

    @Test
    void is_refused_beyond_the_limit_with_four_times_the_outage() {
      Scenario large = scenario().capacity(1_000_000).build();

      assertThatIllegalArgumentException()
          .isThrownBy(() -> OutageSimulation.run(RetryPolicy.none(), Failure.timeout(), large))
          .withMessageMatching(
              "scenario: it may come to 1\\d{8} attempts, more than the 20000000 allowed: .*");
    }

    @Test
    void is_allowed_up_to_the_limit() {
      // 100,000 a second in 20 s are 2 million, and 8,486 beside; ten attempts are too many.
      Scenario just =
          scenario()
              .capacity(200_000)
              .load(0.5)
              .outage(ofSeconds(5))
              .horizon(ofSeconds(10))
              .build();

      assertThatNoException()
          .isThrownBy(() -> ScenarioChecks.requireSize(retrying(8), Failure.timeout(), just));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ScenarioChecks.requireSize(retrying(9), Failure.timeout(), just))
          .withMessageContaining("20084853 attempts");
    }

    private static RetryPolicy retrying(int retries) {
      return RetryPolicy.immediate().maxRetries(retries).build();
    }

    private static RetryPolicy waiting(Duration delay) {
      return RetryPolicy.fixed(delay).jitter(Jitter.none()).unlimitedRetries().build();
    }

    private double most(RetryPolicy policy) {
      return ScenarioChecks.maxAttempts(policy, Failure.timeout(), scenario);
    }
  }
}
