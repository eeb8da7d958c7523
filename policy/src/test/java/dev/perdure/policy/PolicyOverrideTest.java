// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.DecisionAssertions.givesUp;
import static dev.perdure.policy.DecisionAssertions.retriesAfter;
import static dev.perdure.policy.DecisionAssertions.retriesWithin;
import static dev.perdure.policy.FailureMatcher.any;
import static dev.perdure.policy.FailureMatcher.serverErrors;
import static dev.perdure.policy.FailureMatcher.status;
import static dev.perdure.policy.FailureMatcher.timeout;
import static dev.perdure.policy.GiveUpReason.EXHAUSTED;
import static dev.perdure.policy.GiveUpReason.NOT_RETRYABLE;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyOverrideTest {

  private final Failure unavailable = Failure.http(503);
  private final Failure slow = Failure.http(429);

  private static RetryPolicy with(PolicyOverride... overrides) {
    var builder =
        RetryPolicy.exponential(ofSeconds(1))
            .jitter(Jitter.none())
            .maxDelay(ofSeconds(10))
            .maxRetries(5);
    for (PolicyOverride override : overrides) {
      builder.override(override);
    }
    return builder.build();
  }

  @Test
  void replaces_the_backoff() {
    RetryPolicy policy = with(PolicyOverride.on(status(429)).withBackoff(Backoff.immediate()));

    retriesAfter(policy, DecisionContext.attempt(2), slow, ofMillis(0));
    retriesAfter(policy, DecisionContext.attempt(2), unavailable, ofSeconds(4));
  }

  @Test
  void replaces_the_jitter() {
    RetryPolicy policy = with(PolicyOverride.on(status(429)).withJitter(Jitter.full()));

    retriesWithin(policy, DecisionContext.attempt(2), slow, ofMillis(0), ofSeconds(4));
    retriesAfter(policy, DecisionContext.attempt(2), unavailable, ofSeconds(4));
  }

  @Test
  void replaces_max_delay() {
    RetryPolicy policy = with(PolicyOverride.on(status(429)).withMaxDelay(ofSeconds(3)));

    retriesAfter(policy, DecisionContext.attempt(2), slow, ofSeconds(3));
    retriesAfter(policy, DecisionContext.attempt(4), unavailable, ofSeconds(10));
  }

  @Test
  void may_increase_max_delay() {
    RetryPolicy policy = with(PolicyOverride.on(status(429)).withMaxDelay(ofSeconds(100)));

    retriesAfter(policy, DecisionContext.attempt(4), slow, ofSeconds(16));
  }

  @Test
  void compares_its_limit_with_all_attempts_so_far() {
    RetryPolicy policy = with(PolicyOverride.on(serverErrors()).withMaxRetries(1));

    retriesAfter(policy, DecisionContext.attempt(0), unavailable, ofSeconds(1));
    givesUp(policy, DecisionContext.attempt(1), unavailable, EXHAUSTED);
    retriesAfter(policy, DecisionContext.attempt(1), slow, ofSeconds(2));
    givesUp(policy, DecisionContext.attempt(3), unavailable, EXHAUSTED);
  }

  @Test
  void may_raise_the_limit() {
    RetryPolicy more = with(PolicyOverride.on(status(429)).withMaxRetries(7));
    RetryPolicy endless = with(PolicyOverride.on(status(429)).withUnlimitedRetries());

    retriesAfter(more, DecisionContext.attempt(6), slow, ofSeconds(10));
    givesUp(more, DecisionContext.attempt(7), slow, EXHAUSTED);
    givesUp(more, DecisionContext.attempt(5), unavailable, EXHAUSTED);
    retriesAfter(endless, DecisionContext.attempt(1_000_000), slow, ofSeconds(10));
  }

  @Test
  void ends_with_its_own_ladder() {
    RetryPolicy policy =
        with(
            PolicyOverride.on(status(429))
                .withBackoff(Backoff.ladder(Backoff.step(2, ofSeconds(7)))));

    retriesAfter(policy, DecisionContext.attempt(1), slow, ofSeconds(7));
    givesUp(policy, DecisionContext.attempt(2), slow, EXHAUSTED);
  }

  @Test
  void the_first_match_applies_even_if_a_later_one_is_more_specific() {
    PolicyOverride broad = PolicyOverride.on(any()).withBackoff(Backoff.fixed(ofSeconds(2)));
    PolicyOverride exact = PolicyOverride.on(status(503)).withBackoff(Backoff.fixed(ofSeconds(3)));

    retriesAfter(with(broad, exact), DecisionContext.attempt(0), unavailable, ofSeconds(2));
    retriesAfter(with(exact, broad), DecisionContext.attempt(0), unavailable, ofSeconds(3));
    retriesAfter(with(exact, broad), DecisionContext.attempt(0), slow, ofSeconds(2));
  }

  @Test
  void does_not_combine_with_a_later_match() {
    RetryPolicy policy =
        with(
            PolicyOverride.on(status(503)).withMaxRetries(9),
            PolicyOverride.on(serverErrors()).withBackoff(Backoff.immediate()));

    retriesAfter(policy, DecisionContext.attempt(2), unavailable, ofSeconds(4));
  }

  @Test
  void without_fields_keeps_the_policy_and_hides_later_matches() {
    RetryPolicy policy =
        with(PolicyOverride.on(status(503)), PolicyOverride.on(serverErrors()).withMaxRetries(0));

    retriesAfter(policy, DecisionContext.attempt(4), unavailable, ofSeconds(10));
    givesUp(policy, DecisionContext.attempt(0), Failure.http(500), EXHAUSTED);
  }

  @Test
  void matches_if_one_of_its_matchers_does() {
    PolicyOverride override = PolicyOverride.on(timeout(), status(429));

    assertThat(override.matches(Failure.timeout())).isTrue();
    assertThat(override.matches(slow)).isTrue();
    assertThat(override.matches(unavailable)).isFalse();
  }

  @Test
  void does_not_make_a_failure_retryable() {
    RetryPolicy policy =
        RetryPolicy.immediate()
            .retryOn(serverErrors())
            .override(PolicyOverride.on(status(429)).withUnlimitedRetries())
            .build();

    givesUp(policy, DecisionContext.attempt(0), slow, NOT_RETRYABLE);
  }

  @Test
  void sets_fields_one_by_one() {
    Backoff backoff = Backoff.fixed(ofSeconds(1));
    List<FailureMatcher> on = List.of(status(429));

    assertThat(
            PolicyOverride.on(status(429))
                .withMaxRetries(2)
                .withBackoff(backoff)
                .withJitter(Jitter.full())
                .withMaxDelay(ofSeconds(9)))
        .isEqualTo(new PolicyOverride(on, RetryLimit.of(2), backoff, Jitter.full(), ofSeconds(9)));
    assertThat(PolicyOverride.on(status(429)).withMaxRetries(2).withUnlimitedRetries())
        .isEqualTo(new PolicyOverride(on, RetryLimit.noLimit(), null, null, null));
  }

  @Test
  void copies_its_list_of_matchers() {
    List<FailureMatcher> on = new ArrayList<>(List.of(status(429)));
    PolicyOverride override = new PolicyOverride(on, null, null, null, null);

    on.clear();

    assertThat(override.on()).containsExactly(status(429));
  }

  @Test
  void reports_all_errors_at_once() {
    InvalidPolicyException thrown =
        catchThrowableOfType(
            InvalidPolicyException.class,
            () -> new PolicyOverride(List.of(), null, null, null, ofMillis(0)));

    assertThat(thrown.errors()).extracting(FieldError::path).containsExactly("on", "max_delay");
  }
}
