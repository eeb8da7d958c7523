// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.FailureMatcher.serverErrors;
import static dev.perdure.policy.FailureMatcher.status;
import static dev.perdure.policy.Jitter.decorrelated;
import static dev.perdure.policy.Jitter.spread;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RetryPolicyBuilderTest {

  @Test
  void writes_the_policy_of_the_documentation() {
    RetryPolicy policy =
        RetryPolicy.exponential(ofSeconds(1))
            .multiplier(2)
            .maxDelay(ofMinutes(5))
            .maxRetries(5)
            .jitter(spread(0.25))
            .retryOn(status(429), serverErrors())
            .build();

    assertThat(policy.maxRetries()).isEqualTo(RetryLimit.of(5));
    assertThat(policy.backoff()).isEqualTo(new Backoff.Exponential(ofSeconds(1), 2));
    assertThat(policy.outlook(Facts.attempt(2), Failure.http(503)))
        .isEqualTo(new Outlook.Window(ofSeconds(4), ofSeconds(3), ofSeconds(5)));
    assertThat(policy.outlook(Facts.attempt(0), Failure.timeout()))
        .isEqualTo(new Decision.GiveUp(GiveUpReason.NOT_RETRYABLE));
  }

  @Test
  void draws_within_the_window_and_counts_on() {
    RetryPolicy policy = RetryPolicy.linear(ofSeconds(1)).jitter(decorrelated()).build();

    Decision decision =
        policy.decide(
            Facts.attempt(1).withPreviousDelay(ofSeconds(2)),
            Failure.timeout(),
            new SplittableRandom(7));

    assertThat(decision)
        .isInstanceOfSatisfying(
            Decision.Retry.class,
            retry -> {
              assertThat(retry.attempt()).isEqualTo(2);
              assertThat(retry.delay()).isBetween(ofSeconds(1), ofSeconds(6));
            });
  }

  @Test
  void tells_everything_that_is_wrong_at_once() {
    RetryPolicyBuilder.Exponential builder =
        RetryPolicy.exponential(Duration.ZERO)
            .multiplier(0.5)
            .maxRetries(-1)
            .maxDelay(ofMillis(-3))
            .retryOn();

    InvalidPolicyException thrown =
        catchThrowableOfType(InvalidPolicyException.class, builder::build);

    assertThat(thrown.problems())
        .extracting(Problem::path)
        .containsExactlyInAnyOrder(
            "max_retries", "backoff.initial", "backoff.multiplier", "max_delay", "retry_on");
  }
}
