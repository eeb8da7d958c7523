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
  class LongestDelay {

    private RetryPolicy capped(Backoff backoff, Duration maxDelay) {
      PolicyDraft draft = draft(backoff);
      draft.maxDelay(maxDelay);
      return built(draft);
    }

    @Test
    void is_no_shorter_than_the_first_delay() {
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
    void cuts_a_schedule_and_a_ladder() {
      for (Backoff backoff : List.of(Backoff.immediate(), SCHEDULE, LADDER)) {
        assertThat(capped(backoff, SHORTER).maxDelay()).isEqualTo(SHORTER);
      }
    }

    @Test
    void is_more_than_nothing() {
      refusesAt(() -> capped(SCHEDULE, Duration.ZERO), "max_delay");
    }

    @Test
    void is_told_once_when_it_is_no_delay_at_all() {
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
    void goes_with_a_growing_backoff() {
      assertThatCode(() -> decorrelated(Backoff.linear(SECOND, SECOND))).doesNotThrowAnyException();
      assertThatCode(() -> decorrelated(Backoff.exponential(SECOND, 2))).doesNotThrowAnyException();
    }

    @Test
    void goes_with_no_other() {
      for (Backoff backoff :
          List.of(Backoff.immediate(), Backoff.fixed(SECOND), SCHEDULE, LADDER)) {
        refuses(
            () -> decorrelated(backoff),
            "jitter: decorrelated jitter goes with a linear or exponential backoff only");
      }
    }
  }

  @Nested
  class Lists {

    private final List<FailureMatcher> most = Collections.nCopies(100, status(503));
    private final List<FailureMatcher> tooMany = Collections.nCopies(101, status(503));

    @Test
    void of_failures_to_retry_are_not_empty() {
      PolicyDraft draft = draft(SCHEDULE);
      draft.retryOn(List.of());

      refuses(
          () -> built(draft),
          "retry_on: must not be empty: name at least one failure, or * for all");
    }

    @Test
    void of_failures_never_to_retry_may_be_empty() {
      PolicyDraft draft = draft(SCHEDULE);
      draft.neverOn(List.of());

      assertThat(built(draft).neverOn()).isEmpty();
    }

    @Test
    void of_matchers_have_at_most_a_hundred_entries() {
      PolicyDraft draft = draft(SCHEDULE);
      draft.retryOn(most);
      draft.neverOn(most);
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
    void of_overrides_have_at_most_fifty_entries() {
      PolicyDraft draft = draft(SCHEDULE);
      PolicyOverride wrong = PolicyOverride.on(status(503)).withJitter(Jitter.decorrelated());
      draft.overrides(Collections.nCopies(50, PolicyOverride.on(status(503))));
      assertThat(built(draft).overrides()).hasSize(50);

      draft.overrides(Collections.nCopies(51, PolicyOverride.on(status(503))));
      refuses(() -> built(draft), "overrides: has 51 entries, at most 50 are allowed");

      draft.overrides(Collections.nCopies(10_000, wrong));
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
    void has_a_backoff_that_goes_with_the_jitter_of_the_policy() {
      PolicyDraft draft = draft(Backoff.exponential(SECOND, 2));
      draft.jitter(Jitter.decorrelated());

      assertThatCode(() -> overridden(draft, on.withBackoff(Backoff.linear(SECOND, SECOND))))
          .doesNotThrowAnyException();
      refuses(
          () -> overridden(draft, on.withBackoff(Backoff.fixed(SECOND))),
          "overrides[1].backoff: decorrelated jitter goes with a linear or exponential backoff only");
      assertThatCode(
              () ->
                  overridden(
                      draft, on.withBackoff(Backoff.fixed(SECOND)).withJitter(Jitter.none())))
          .doesNotThrowAnyException();
    }

    @Test
    void has_a_jitter_that_goes_with_the_backoff_of_the_policy() {
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
    void has_a_first_delay_that_fits_under_the_longest_of_the_policy() {
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
    void has_a_longest_delay_that_reaches_the_first_of_the_policy() {
      PolicyDraft draft = draft(Backoff.fixed(SECOND));

      assertThatCode(() -> overridden(draft, on.withMaxDelay(SECOND))).doesNotThrowAnyException();
      refuses(
          () -> overridden(draft, on.withMaxDelay(SHORTER)),
          "overrides[1].max_delay: max_delay 999ms is shorter than the first delay 1s");
    }

    @Test
    void is_not_blamed_for_what_is_wrong_with_the_policy() {
      PolicyDraft draft = draft(Backoff.fixed(SECOND));
      draft.jitter(Jitter.decorrelated());
      draft.maxDelay(SHORTER);

      refusesAt(() -> overridden(draft, on.withMaxRetries(1)), "jitter", "max_delay");
    }
  }

  @Test
  void skips_a_part_that_is_missing() {
    PolicyDraft draft = new PolicyDraft();
    draft.jitter(Jitter.decorrelated());
    draft.maxDelay(SECOND);
    draft.overrides(List.of(PolicyOverride.on(status(503)).withMaxDelay(SECOND)));
    FieldErrors fieldErrors = new FieldErrors();
    fieldErrors.add("backoff", "is wrong");

    refuses(() -> draft.build(fieldErrors), "backoff: is wrong");
  }
}
