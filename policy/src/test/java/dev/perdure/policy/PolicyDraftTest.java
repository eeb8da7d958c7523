// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.FailureMatcher.status;
import static dev.perdure.policy.PolicyErrorAssertions.refusesAt;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyDraftTest {

  private static RetryPolicy filledIn(Backoff backoff) {
    PolicyDraft draft = new PolicyDraft();
    draft.backoff(backoff);
    return draft.build(new FieldErrors());
  }

  @Test
  void fills_in_what_is_omitted() {
    Backoff backoff = Backoff.fixed(ofSeconds(1));

    assertThat(filledIn(backoff))
        .isEqualTo(
            new RetryPolicy(
                RetryLimit.of(3),
                backoff,
                Jitter.spread(0.25),
                null,
                Expiry.never(),
                List.of(FailureMatcher.any()),
                List.of(),
                RetryAfter.honored(ofHours(24)),
                List.of()));
  }

  @Test
  void retries_three_times_without_being_told() {
    for (Backoff backoff :
        List.of(
            Backoff.immediate(),
            Backoff.fixed(ofSeconds(1)),
            Backoff.linear(ofSeconds(1), ofSeconds(1)),
            Backoff.exponential(ofSeconds(1), 2))) {
      assertThat(filledIn(backoff).maxRetries()).isEqualTo(RetryLimit.of(3));
    }
  }

  @Test
  void retries_as_often_as_a_schedule_has_delays() {
    assertThat(filledIn(Backoff.schedule(ofSeconds(1), ofSeconds(2))).maxRetries())
        .isEqualTo(RetryLimit.of(2));
  }

  @Test
  void leaves_it_to_the_steps_of_a_ladder_when_to_end() {
    assertThat(filledIn(Backoff.ladder(Backoff.step(7, ofSeconds(1)))).maxRetries())
        .isEqualTo(RetryLimit.noLimit());
  }

  @Test
  void keeps_a_limit_that_is_named() {
    PolicyDraft draft = new PolicyDraft();
    draft.backoff(Backoff.schedule(ofSeconds(1)));
    draft.maxRetries(RetryLimit.of(9));

    assertThat(draft.build(new FieldErrors()).maxRetries()).isEqualTo(RetryLimit.of(9));
  }

  @Test
  void begins_as_another_policy() {
    RetryPolicy policy =
        RetryPolicy.exponential(ofSeconds(1))
            .maxRetries(7)
            .jitter(Jitter.full())
            .maxDelay(ofSeconds(9))
            .expiresAfter(ofHours(1))
            .retryOn(status(503))
            .neverOn(status(404))
            .ignoreRetryAfter()
            .override(PolicyOverride.on(status(503)))
            .build();

    assertThat(PolicyDraft.from(policy).build(new FieldErrors())).isEqualTo(policy);
    assertThat(PolicyDraft.from(RetryPolicy.http()).build(new FieldErrors()))
        .isEqualTo(RetryPolicy.http());
  }

  @Test
  void keeps_its_lists_when_those_it_was_given_change() {
    List<FailureMatcher> matchers = new ArrayList<>(List.of(status(503)));
    List<PolicyOverride> overrides = new ArrayList<>(List.of(PolicyOverride.on(status(503))));
    PolicyDraft draft = new PolicyDraft();
    draft.backoff(Backoff.immediate());
    draft.retryOn(matchers);
    draft.neverOn(matchers);
    draft.overrides(overrides);

    matchers.clear();
    overrides.clear();
    RetryPolicy policy = draft.build(new FieldErrors());

    assertThat(policy.retryOn()).containsExactly(status(503));
    assertThat(policy.neverOn()).containsExactly(status(503));
    assertThat(policy.overrides()).hasSize(1);
  }

  @Test
  void adds_what_is_wrong_between_the_parts_to_what_was_found_before() {
    FieldErrors fieldErrors = new FieldErrors();
    fieldErrors.add("colour", "is unknown");
    PolicyDraft draft = new PolicyDraft();
    draft.backoff(Backoff.immediate());
    draft.jitter(Jitter.decorrelated());

    refusesAt(() -> draft.build(fieldErrors), "colour", "jitter");
  }

  @Test
  void insists_that_somebody_says_why_a_part_is_missing() {
    PolicyDraft noBackoff = new PolicyDraft();
    PolicyDraft noJitter = new PolicyDraft();
    noJitter.backoff(Backoff.immediate());
    noJitter.jitter(null);

    assertThatIllegalStateException().isThrownBy(() -> noBackoff.build(new FieldErrors()));
    assertThatIllegalStateException().isThrownBy(() -> noJitter.build(new FieldErrors()));
  }
}
