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
  void fills_in_defaults() {
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
  void retries_three_times_by_default() {
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
  void retries_a_schedule_once_per_delay_by_default() {
    assertThat(filledIn(Backoff.schedule(ofSeconds(1), ofSeconds(2))).maxRetries())
        .isEqualTo(RetryLimit.of(2));
  }

  @Test
  void does_not_limit_a_ladder_by_default() {
    assertThat(filledIn(Backoff.ladder(Backoff.step(7, ofSeconds(1)))).maxRetries())
        .isEqualTo(RetryLimit.noLimit());
  }

  @Test
  void keeps_an_explicit_limit() {
    PolicyDraft draft = new PolicyDraft();
    draft.backoff(Backoff.schedule(ofSeconds(1)));
    draft.maxRetries(RetryLimit.of(9));

    assertThat(draft.build(new FieldErrors()).maxRetries()).isEqualTo(RetryLimit.of(9));
  }

  @Test
  void can_start_from_an_existing_policy() {
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
  void copies_its_lists() {
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
  void adds_combination_errors_to_earlier_errors() {
    FieldErrors errors = new FieldErrors();
    errors.add("colour", "is unknown");
    PolicyDraft draft = new PolicyDraft();
    draft.backoff(Backoff.immediate());
    draft.jitter(Jitter.decorrelated());

    refusesAt(() -> draft.build(errors), "colour", "jitter");
  }

  @Test
  void fails_when_a_field_is_missing_without_an_error() {
    PolicyDraft noBackoff = new PolicyDraft();
    PolicyDraft noJitter = new PolicyDraft();
    noJitter.backoff(Backoff.immediate());
    noJitter.jitter(null);

    assertThatIllegalStateException().isThrownBy(() -> noBackoff.build(new FieldErrors()));
    assertThatIllegalStateException().isThrownBy(() -> noJitter.build(new FieldErrors()));
  }
}
