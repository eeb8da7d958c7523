// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import static dev.perdure.policy.Backoff.forever;
import static dev.perdure.policy.Backoff.step;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.RetryPolicyBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PolicyWordsTest {

  private static final Instant NEW_YEAR = Instant.parse("2027-01-01T00:00:00Z");

  private static RetryPolicyBuilder.Plain threeSteps() {
    return RetryPolicy.ladder(step(5, ofMinutes(5)), step(5, ofMinutes(10)), forever(ofHours(1)));
  }

  static Stream<Arguments> ladders() {
    return Stream.of(
        arguments(
            threeSteps(),
            "5 retries every 5 minutes, then 5 every 10 minutes, then every hour until canceled"),
        arguments(
            threeSteps().maxRetries(20),
            "5 retries every 5 minutes, then 5 every 10 minutes, then 10 every hour"),
        arguments(threeSteps().maxRetries(7), "5 retries every 5 minutes, then 2 every 10 minutes"),
        arguments(threeSteps().maxRetries(5), "5 retries every 5 minutes"),
        arguments(threeSteps().maxRetries(1), "1 retry after 5 minutes"),
        arguments(
            threeSteps().expiresAfter(ofDays(2)),
            "5 retries every 5 minutes, then 5 every 10 minutes, then every hour for at most 2"
                + " days"),
        arguments(
            threeSteps().maxRetries(7).expiresAfter(ofHours(2)),
            "5 retries every 5 minutes, then 2 every 10 minutes, for at most 2 hours"),
        arguments(
            threeSteps().maxDelay(ofMinutes(8)),
            "5 retries every 5 minutes, then 5 every 8 minutes, then every 8 minutes until"
                + " canceled"),
        arguments(
            RetryPolicy.ladder(step(1, ofSeconds(1)), step(1, ofMinutes(1))),
            "1 retry after 1 second, then 1 after 1 minute"),
        arguments(RetryPolicy.ladder(forever(ofDays(1))), "retries every 24 hours until canceled"),
        arguments(
            RetryPolicy.ladder(forever(ofMinutes(1))).expiresAt(NEW_YEAR),
            "retries every minute until 2027-01-01T00:00:00.000Z"));
  }

  static Stream<Arguments> regularDelays() {
    return Stream.of(
        arguments(RetryPolicy.immediate(), "up to 3 retries without delay"),
        arguments(RetryPolicy.immediate().maxRetries(1), "1 retry without delay"),
        arguments(
            RetryPolicy.immediate().unlimitedRetries(), "retries without delay until canceled"),
        arguments(RetryPolicy.fixed(ofSeconds(1)), "up to 3 retries every second"),
        arguments(RetryPolicy.fixed(ofMillis(250)), "up to 3 retries every 250 milliseconds"),
        arguments(RetryPolicy.fixed(ofMillis(1)).maxRetries(1), "1 retry after 1 millisecond"),
        arguments(RetryPolicy.fixed(ofSeconds(90)).maxRetries(0), "no retries"),
        arguments(
            RetryPolicy.fixed(ofSeconds(90)).maxRetries(1_500),
            "up to 1,500 retries every 90 seconds"),
        arguments(
            RetryPolicy.fixed(ofMinutes(5)).unlimitedRetries().expiresAfter(ofHours(2)),
            "retries every 5 minutes for at most 2 hours"),
        arguments(
            RetryPolicy.fixed(ofMinutes(5)).expiresAt(NEW_YEAR),
            "up to 3 retries every 5 minutes, not after 2027-01-01T00:00:00.000Z"),
        arguments(
            RetryPolicy.exponential(ofSeconds(2)).multiplier(1),
            "up to 3 retries every 2 seconds"));
  }

  static Stream<Arguments> growingDelays() {
    return Stream.of(
        arguments(
            RetryPolicy.exponential(ofSeconds(1)).maxDelay(ofMinutes(1)),
            "up to 3 retries, after 1 second, then twice as long each time, at most 1 minute"),
        arguments(
            RetryPolicy.exponential(ofMillis(1_500)).multiplier(1.5),
            "up to 3 retries, after 1.5 seconds, then 1.5 times as long each time"),
        arguments(
            RetryPolicy.exponential(ofSeconds(1)).multiplier(3).expiresAfter(ofHours(2)),
            "up to 3 retries, after 1 second, then 3 times as long each time, for at most 2 hours"),
        arguments(
            RetryPolicy.exponential(ofSeconds(1)).maxRetries(1).maxDelay(ofMinutes(1)),
            "1 retry after 1 second"),
        arguments(
            RetryPolicy.exponential(ofSeconds(1)).unlimitedRetries().maxDelay(ofHours(1)),
            "retries until canceled, after 1 second, then twice as long each time, at most 1 hour"),
        arguments(
            RetryPolicy.exponential(ofSeconds(1)).unlimitedRetries().expiresAfter(ofHours(1)),
            "retries for at most 1 hour, after 1 second, then twice as long each time"),
        arguments(
            RetryPolicy.linear(ofSeconds(1)).increment(ofSeconds(2)),
            "up to 3 retries, after 1 second, then 2 seconds longer each time"));
  }

  static Stream<Arguments> lists() {
    Duration[] minutes =
        IntStream.rangeClosed(1, 15).mapToObj(Duration::ofMinutes).toArray(Duration[]::new);
    return Stream.of(
        arguments(
            RetryPolicy.schedule(ofMinutes(1), ofMinutes(5), ofHours(1)),
            "up to 3 retries, after 1 minute, then 5 minutes, then 1 hour"),
        arguments(RetryPolicy.schedule(ofMinutes(1)), "1 retry after 1 minute"),
        arguments(RetryPolicy.schedule(ofMinutes(1)).maxRetries(4), "up to 4 retries every minute"),
        arguments(
            RetryPolicy.schedule(ofMinutes(1), ofMinutes(5), ofHours(1)).maxRetries(2),
            "up to 2 retries, after 1 minute, then 5 minutes"),
        arguments(
            RetryPolicy.schedule(ofMinutes(1), ofMinutes(5), ofHours(1)).maxRetries(1),
            "1 retry after 1 minute"),
        arguments(
            RetryPolicy.schedule(ofMinutes(1), ofMinutes(5), ofHours(1)).maxRetries(9),
            "up to 9 retries, after 1 minute, then 5 minutes, then every hour"),
        arguments(
            RetryPolicy.schedule(ofMinutes(1), ofHours(1))
                .unlimitedRetries()
                .maxDelay(ofMinutes(30)),
            "retries after 1 minute, then every 30 minutes until canceled"),
        arguments(
            RetryPolicy.schedule(minutes),
            "up to 15 retries, after 1 minute, then 2 minutes, then 3 minutes, then 4 minutes,"
                + " then 5 minutes, then 6 minutes, then 7 minutes, then 8 minutes, then 9"
                + " minutes, then 10 minutes, then 11 minutes, then 12 minutes, then 3 more"
                + " delays"));
  }

  @ParameterizedTest
  @MethodSource({"ladders", "regularDelays", "growingDelays", "lists"})
  void says_when_a_policy_retries(RetryPolicyBuilder<?> policy, String words) {
    assertThat(PolicyWords.of(policy.build())).isEqualTo(words);
  }

  @Test
  void says_that_a_policy_never_retries() {
    assertThat(PolicyWords.of(RetryPolicy.none())).isEqualTo("no retries");
  }

  @Test
  void mentions_overrides() {
    PolicyOverride override =
        PolicyOverride.on(FailureMatcher.status(429)).withBackoff(Backoff.fixed(ofHours(1)));

    assertThat(PolicyWords.of(RetryPolicy.fixed(ofMinutes(5)).override(override).build()))
        .isEqualTo("up to 3 retries every 5 minutes; some failures have their own rules");
  }
}
