// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.FailureMatcher.status;
import static dev.perdure.policy.PolicyErrorAssertions.refuses;
import static dev.perdure.policy.PolicyErrorAssertions.refusesAt;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PolicyChecksTest {

  private static final Duration SECOND = ofSeconds(1);
  private static final Duration SHORTER = ofMillis(999);
  private static final Backoff SCHEDULE = Backoff.schedule(SECOND, ofSeconds(9));
  private static final Backoff LADDER = Backoff.ladder(Backoff.step(1, SECOND));

  private static PolicyDraft draft(Backoff backoff) {
    PolicyDraft draft = new PolicyDraft();
    draft.backoff(backoff);
    return draft;
  }

  private static RetryPolicy built(PolicyDraft draft) {
    return draft.build(new FieldErrors());
  }

  @Nested
  class MaxDelay {

    private RetryPolicy capped(Backoff backoff, Duration maxDelay) {
      PolicyDraft draft = draft(backoff);
      draft.maxDelay(maxDelay);
      return built(draft);
    }

    @Test
    void cannot_be_shorter_than_the_first_delay() {
      for (Backoff backoff :
          List.of(
              Backoff.fixed(SECOND),
              Backoff.linear(SECOND, ofMillis(1)),
              Backoff.exponential(SECOND, 2))) {
        assertThat(capped(backoff, SECOND).maxDelay()).isEqualTo(SECOND);
        refuses(
            () -> capped(backoff, SHORTER),
            "max_delay: max_delay 999ms is shorter than the first delay 1s");
      }
    }

    @Test
    void can_be_shorter_than_the_delays_of_a_schedule_or_ladder() {
      for (Backoff backoff : List.of(Backoff.immediate(), SCHEDULE, LADDER)) {
        assertThat(capped(backoff, SHORTER).maxDelay()).isEqualTo(SHORTER);
      }
    }

    @Test
    void must_be_positive() {
      refusesAt(() -> capped(SCHEDULE, Duration.ZERO), "max_delay");
    }

    @Test
    void is_reported_once_when_it_is_not_a_valid_delay() {
      refuses(
          () -> capped(Backoff.fixed(SECOND), Duration.ZERO),
          "max_delay: must be more than 0, not 0s");
    }
  }

  @Nested
  class DecorrelatedJitter {

    private RetryPolicy decorrelated(Backoff backoff) {
      PolicyDraft draft = draft(backoff);
      draft.jitter(Jitter.decorrelated());
      return built(draft);
    }

    @Test
    void is_allowed_with_a_growing_backoff() {
      assertThatCode(() -> decorrelated(Backoff.linear(SECOND, SECOND))).doesNotThrowAnyException();
      assertThatCode(() -> decorrelated(Backoff.exponential(SECOND, 2))).doesNotThrowAnyException();
    }

    @Test
    void is_rejected_with_any_other_backoff() {
      for (Backoff backoff :
          List.of(Backoff.immediate(), Backoff.fixed(SECOND), SCHEDULE, LADDER)) {
        refuses(
            () -> decorrelated(backoff),
            "jitter: decorrelated jitter requires a linear or exponential backoff");
      }
    }
  }

  @Nested
  class Lists {

    private final List<FailureMatcher> maximum = Collections.nCopies(100, status(503));
    private final List<FailureMatcher> tooMany = Collections.nCopies(101, status(503));

    @Test
    void retry_on_must_not_be_empty() {
      PolicyDraft draft = draft(SCHEDULE);
      draft.retryOn(List.of());

      refuses(
          () -> built(draft),
          "retry_on: must not be empty: name at least one failure, or * for all");
    }

    @Test
    void never_on_may_be_empty() {
      PolicyDraft draft = draft(SCHEDULE);
      draft.neverOn(List.of());

      assertThat(built(draft).neverOn()).isEmpty();
    }

    @Test
    void matcher_lists_have_at_most_a_hundred_entries() {
      PolicyDraft draft = draft(SCHEDULE);
      draft.retryOn(maximum);
      draft.neverOn(maximum);
      assertThat(built(draft).retryOn()).hasSize(100);

      draft.retryOn(tooMany);
      draft.neverOn(tooMany);
      refuses(
          () -> built(draft),
          "retry_on: has 101 entries, at most 100 are allowed",
          "never_on: has 101 entries, at most 100 are allowed");
      refuses(
          () -> new PolicyOverride(tooMany, null, null, null, null),
          "on: has 101 entries, at most 100 are allowed");
    }

    @Test
    void overrides_have_at_most_fifty_entries() {
      PolicyDraft draft = draft(SCHEDULE);
      PolicyOverride invalid = PolicyOverride.on(status(503)).withJitter(Jitter.decorrelated());
      draft.overrides(Collections.nCopies(50, PolicyOverride.on(status(503))));
      assertThat(built(draft).overrides()).hasSize(50);

      draft.overrides(Collections.nCopies(51, PolicyOverride.on(status(503))));
      refuses(() -> built(draft), "overrides: has 51 entries, at most 50 are allowed");

      draft.overrides(Collections.nCopies(10_000, invalid));
      assertThatCode(() -> built(draft))
          .isInstanceOfSatisfying(
              InvalidPolicyException.class, e -> assertThat(e.errors()).hasSize(51));
    }
  }

  @Nested
  class InOverrides {

    private final PolicyOverride on = PolicyOverride.on(status(503));

    private RetryPolicy overridden(PolicyDraft draft, PolicyOverride override) {
      draft.overrides(List.of(PolicyOverride.on(status(429)), override));
      return built(draft);
    }

    @Test
    void the_backoff_must_fit_the_jitter_of_the_policy() {
      PolicyDraft draft = draft(Backoff.exponential(SECOND, 2));
      draft.jitter(Jitter.decorrelated());

      assertThatCode(() -> overridden(draft, on.withBackoff(Backoff.linear(SECOND, SECOND))))
          .doesNotThrowAnyException();
      refuses(
          () -> overridden(draft, on.withBackoff(Backoff.fixed(SECOND))),
          "overrides[1].backoff: decorrelated jitter requires a linear or exponential backoff");
      assertThatCode(
              () ->
                  overridden(
                      draft, on.withBackoff(Backoff.fixed(SECOND)).withJitter(Jitter.none())))
          .doesNotThrowAnyException();
    }

    @Test
    void the_jitter_must_fit_the_backoff_of_the_policy() {
      refusesAt(
          () -> overridden(draft(SCHEDULE), on.withJitter(Jitter.decorrelated())),
          "overrides[1].jitter");
      assertThatCode(
              () ->
                  overridden(
                      draft(SCHEDULE),
                      on.withJitter(Jitter.decorrelated())
                          .withBackoff(Backoff.exponential(SECOND, 2))))
          .doesNotThrowAnyException();
      refusesAt(
          () ->
              overridden(
                  draft(Backoff.exponential(SECOND, 2)),
                  on.withJitter(Jitter.decorrelated()).withBackoff(Backoff.fixed(SECOND))),
          "overrides[1].jitter");
    }

    @Test
    void the_first_delay_must_fit_the_max_delay_of_the_policy() {
      PolicyDraft draft = draft(Backoff.fixed(ofMillis(1)));
      draft.maxDelay(SECOND);

      assertThatCode(() -> overridden(draft, on.withBackoff(Backoff.fixed(SECOND))))
          .doesNotThrowAnyException();
      refuses(
          () -> overridden(draft, on.withBackoff(Backoff.fixed(ofMillis(1_001)))),
          "overrides[1].backoff: max_delay 1s is shorter than the first delay 1001ms");
      assertThatCode(
              () ->
                  overridden(
                      draft,
                      on.withBackoff(Backoff.fixed(ofMillis(1_001))).withMaxDelay(ofMillis(1_001))))
          .doesNotThrowAnyException();
    }

    @Test
    void the_max_delay_must_fit_the_first_delay_of_the_policy() {
      PolicyDraft draft = draft(Backoff.fixed(SECOND));

      assertThatCode(() -> overridden(draft, on.withMaxDelay(SECOND))).doesNotThrowAnyException();
      refuses(
          () -> overridden(draft, on.withMaxDelay(SHORTER)),
          "overrides[1].max_delay: max_delay 999ms is shorter than the first delay 1s");
    }

    @Test
    void errors_of_the_policy_are_not_reported_again() {
      PolicyDraft draft = draft(Backoff.fixed(SECOND));
      draft.jitter(Jitter.decorrelated());
      draft.maxDelay(SHORTER);

      refusesAt(() -> overridden(draft, on.withMaxRetries(1)), "jitter", "max_delay");
    }
  }

  @Test
  void skips_missing_fields() {
    PolicyDraft draft = new PolicyDraft();
    draft.jitter(Jitter.decorrelated());
    draft.maxDelay(SECOND);
    draft.overrides(List.of(PolicyOverride.on(status(503)).withMaxDelay(SECOND)));
    FieldErrors errors = new FieldErrors();
    errors.add("backoff", "is wrong");

    refuses(() -> draft.build(errors), "backoff: is wrong");
  }
}
