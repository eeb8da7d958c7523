// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.DecisionAssertions.givesUp;
import static dev.perdure.policy.GiveUpReason.NO_POLICY;
import static dev.perdure.policy.PolicyErrorAssertions.missing;
import static dev.perdure.policy.PolicyErrorAssertions.refusesAt;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

  private static final List<FailureMatcher> ALL = List.of(FailureMatcher.any());

  private static RetryPolicy policy(
      RetryLimit limit,
      Backoff backoff,
      Jitter jitter,
      @Nullable Duration maxDelay,
      Expiry expiry) {
    return new RetryPolicy(
        limit, backoff, jitter, maxDelay, expiry, ALL, List.of(), RetryAfter.DEFAULT, List.of());
  }

  private static RetryPolicy retryingOn(RetryLimit limit, List<FailureMatcher> retryOn) {
    return new RetryPolicy(
        limit,
        Backoff.immediate(),
        Jitter.none(),
        null,
        Expiry.never(),
        retryOn,
        List.of(),
        RetryAfter.DEFAULT,
        List.of());
  }

  @Nested
  class None {

    @Test
    void gives_up_on_everything() {
      for (FailureKind kind : FailureKind.values()) {
        givesUp(RetryPolicy.none(), DecisionContext.attempt(0), Failure.of(kind), NO_POLICY);
      }
    }

    @Test
    void is_the_only_policy_that_is_none() {
      assertThat(RetryPolicy.none().isNone()).isTrue();
      assertThat(RetryPolicy.queue().isNone()).isFalse();
      assertThat(RetryPolicy.immediate().maxRetries(0).build().isNone()).isFalse();
      assertThat(RetryPolicy.none().maxRetries()).isEqualTo(RetryLimit.none());
    }

    @Test
    void is_the_only_policy_with_an_empty_retry_on() {
      assertThat(retryingOn(RetryLimit.none(), List.of())).isEqualTo(RetryPolicy.none());
      refusesAt(() -> retryingOn(RetryLimit.of(1), List.of()), "retry_on");
      refusesAt(() -> retryingOn(RetryLimit.noLimit(), List.of()), "retry_on");
    }

    private static final List<Consumer<PolicyDraft>> CHANGES =
        List.of(
            draft -> draft.backoff(Backoff.fixed(ofSeconds(1))),
            draft -> draft.jitter(Jitter.full()),
            draft -> draft.maxDelay(ofSeconds(1)),
            draft -> draft.expiry(Expiry.after(ofSeconds(1))),
            draft -> draft.neverOn(ALL),
            draft -> draft.retryAfter(RetryAfter.ignored()),
            draft -> draft.overrides(List.of(PolicyOverride.on(FailureMatcher.any()))));

    @Test
    void must_have_defaults_in_all_other_fields() {
      for (Consumer<PolicyDraft> change : CHANGES) {
        PolicyDraft draft = PolicyDraft.from(retryingOn(RetryLimit.none(), ALL));
        change.accept(draft);
        RetryPolicy policy = draft.build(new FieldErrors());

        refusesAt(() -> withoutRetryOn(policy), "retry_on");
      }
    }

    private static RetryPolicy withoutRetryOn(RetryPolicy policy) {
      return new RetryPolicy(
          policy.maxRetries(),
          policy.backoff(),
          policy.jitter(),
          policy.maxDelay(),
          policy.expiry(),
          List.of(),
          policy.neverOn(),
          policy.retryAfter(),
          policy.overrides());
    }
  }

  @Test
  void checks_its_fields_in_the_constructor() {
    refusesAt(
        () ->
            policy(
                RetryLimit.DEFAULT,
                Backoff.fixed(ofSeconds(1)),
                Jitter.decorrelated(),
                ofMillis(1),
                Expiry.never()),
        "jitter",
        "max_delay");
    refusesAt(
        () ->
            new RetryPolicy(
                RetryLimit.DEFAULT,
                Backoff.immediate(),
                Jitter.none(),
                null,
                Expiry.never(),
                ALL,
                Collections.nCopies(101, FailureMatcher.any()),
                RetryAfter.DEFAULT,
                List.of()),
        "never_on");
  }

  @Test
  void requires_its_fields() {
    Backoff backoff = Backoff.immediate();
    Expiry never = Expiry.never();
    RetryLimit limit = RetryLimit.DEFAULT;
    Jitter jitter = Jitter.none();

    assertThatNullPointerException()
        .isThrownBy(() -> policy(missing(), backoff, jitter, null, never))
        .withMessage("maxRetries");
    assertThatNullPointerException()
        .isThrownBy(() -> policy(limit, missing(), jitter, null, never))
        .withMessage("backoff");
    assertThatNullPointerException()
        .isThrownBy(() -> policy(limit, backoff, missing(), null, never))
        .withMessage("jitter");
    assertThatNullPointerException()
        .isThrownBy(() -> policy(limit, backoff, jitter, null, missing()))
        .withMessage("expiry");
    assertThatNullPointerException()
        .isThrownBy(
            () ->
                new RetryPolicy(
                    limit, backoff, jitter, null, never, ALL, List.of(), missing(), List.of()))
        .withMessage("retryAfter");
  }

  @Test
  void copies_its_lists() {
    List<FailureMatcher> matchers = new ArrayList<>(ALL);
    List<PolicyOverride> overrides =
        new ArrayList<>(List.of(PolicyOverride.on(FailureMatcher.any())));
    RetryPolicy policy =
        new RetryPolicy(
            RetryLimit.DEFAULT,
            Backoff.immediate(),
            Jitter.none(),
            null,
            Expiry.never(),
            matchers,
            matchers,
            RetryAfter.DEFAULT,
            overrides);

    matchers.clear();
    overrides.clear();

    assertThat(policy.retryOn()).isEqualTo(ALL);
    assertThat(policy.neverOn()).isEqualTo(ALL);
    assertThat(policy.overrides()).hasSize(1);
  }
}
