// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import static dev.perdure.policy.FailureMatcher.status;
import static dev.perdure.policy.explain.LintContextBuilder.ids;
import static dev.perdure.policy.explain.LintContextBuilder.use;
import static dev.perdure.policy.explain.LintContextBuilder.warningOf;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryPolicy;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LoadRulesTest {

  private static final Linter.LintContext ANYWHERE = Linter.LintContext.DEFAULT;
  private static final PolicyOverride ON_429 = PolicyOverride.on(status(429));

  @Nested
  class NoJitter {

    private final RetryPolicy policy =
        RetryPolicy.exponential(ofSeconds(1)).maxRetries(4).jitter(Jitter.none()).build();

    @Test
    void names_the_delays_after_which_all_come_back() {
      assertThat(Linter.lint(policy, ANYWHERE))
          .containsExactly(
              new Linter.Warning(
                  "no-jitter",
                  "jitter",
                  "1,000 clients that fail together come back together, each time: after 1s, 2s, 4s, …",
                  "write \"jitter\": {\"type\": \"spread\", \"factor\": 0.25}"));
    }

    @Test
    void names_all_delays_of_a_short_policy() {
      RetryPolicy three = RetryPolicy.fixed(ofSeconds(1)).jitter(Jitter.none()).build();

      assertThat(warningOf("no-jitter", three, ANYWHERE).message()).endsWith("after 1s, 1s, 1s");
    }

    @Test
    void counts_a_factor_of_zero_as_none() {
      assertThat(ids(fixed(Jitter.spread(0)), ANYWHERE)).containsExactly("no-jitter");
      assertThat(ids(fixed(Jitter.add(0)), ANYWHERE)).containsExactly("no-jitter");
    }

    @Test
    void is_fine_with_any_jitter() {
      assertThat(ids(fixed(Jitter.spread(0.01)), ANYWHERE)).isEmpty();
      assertThat(ids(fixed(Jitter.add(0.01)), ANYWHERE)).isEmpty();
      assertThat(ids(fixed(Jitter.full()), ANYWHERE)).isEmpty();
      assertThat(ids(fixed(Jitter.equal()), ANYWHERE)).isEmpty();
      RetryPolicy decorrelated =
          RetryPolicy.linear(ofSeconds(1)).jitter(Jitter.decorrelated()).build();
      assertThat(ids(decorrelated, ANYWHERE)).isEmpty();
    }

    @Test
    void is_fine_for_a_single_client_and_without_a_wait_and_without_a_retry() {
      assertThat(ids(policy, use().clients(1).build())).isEmpty();
      assertThat(ids(policy, use().clients(2).build())).containsExactly("no-jitter");
      RetryPolicy immediate = RetryPolicy.immediate().maxRetries(1).jitter(Jitter.none()).build();
      assertThat(ids(immediate, ANYWHERE)).isEmpty();
      RetryPolicy never =
          RetryPolicy.fixed(ofSeconds(1)).maxRetries(0).jitter(Jitter.none()).build();
      assertThat(ids(never, ANYWHERE)).isEmpty();
    }

    @Test
    void warns_of_an_override_that_takes_the_jitter_away() {
      RetryPolicy overriding =
          RetryPolicy.fixed(ofSeconds(1)).override(ON_429.withJitter(Jitter.none())).build();

      assertThat(Linter.lint(overriding, ANYWHERE))
          .extracting(Linter.Warning::id, Linter.Warning::path)
          .containsExactly(tuple("no-jitter", "overrides[0].jitter"));
    }

    @Test
    void warns_of_an_override_that_begins_to_wait() {
      RetryPolicy overriding =
          RetryPolicy.immediate()
              .maxRetries(1)
              .jitter(Jitter.none())
              .override(ON_429.withBackoff(Backoff.fixed(ofSeconds(1))))
              .build();

      assertThat(warningOf("no-jitter", overriding, ANYWHERE).path())
          .isEqualTo("overrides[0].jitter");
    }

    @Test
    void does_not_repeat_itself_for_an_override_that_inherits_it() {
      RetryPolicy overriding =
          RetryPolicy.fixed(ofSeconds(1))
              .jitter(Jitter.none())
              .override(ON_429.withMaxRetries(1))
              .build();

      assertThat(ids(overriding, ANYWHERE)).containsExactly("no-jitter");
    }

    private static RetryPolicy fixed(Jitter.Independent jitter) {
      return RetryPolicy.fixed(ofSeconds(1)).jitter(jitter).build();
    }
  }

  @Nested
  class JitterLostAtCap {

    @Test
    void names_the_first_retry_that_comes_with_all_others() {
      assertThat(Linter.lint(adding(5), use().clients(50).build()))
          .containsExactly(
              new Linter.Warning(
                  "jitter-lost-at-cap",
                  "jitter",
                  "from retry 5 on nothing is left to draw from below max_delay: 50 clients come"
                      + " back together after exactly 16s",
                  "write \"jitter\": {\"type\": \"spread\", \"factor\": 0.25}, which also draws"
                      + " below max_delay, or a longer max_delay"));
    }

    @Test
    void is_fine_when_the_cap_is_never_reached() {
      assertThat(ids(adding(4), ANYWHERE)).isEmpty();
      assertThat(
              ids(RetryPolicy.exponential(ofSeconds(1)).jitter(Jitter.add(0.5)).build(), ANYWHERE))
          .isEmpty();
    }

    @Test
    void is_fine_for_a_single_client() {
      assertThat(ids(adding(5), use().clients(1).build())).isEmpty();
    }

    @Test
    void is_fine_with_a_jitter_that_draws_below_the_cap() {
      RetryPolicy spread =
          RetryPolicy.fixed(ofSeconds(16)).maxDelay(ofSeconds(16)).maxRetries(5).build();

      assertThat(ids(spread, ANYWHERE)).isEmpty();
    }

    @Test
    void leaves_a_policy_without_jitter_to_the_other_warning() {
      RetryPolicy none =
          RetryPolicy.fixed(ofSeconds(16)).maxDelay(ofSeconds(16)).jitter(Jitter.none()).build();

      assertThat(ids(none, ANYWHERE)).containsExactly("no-jitter");
    }

    @Test
    void sees_a_decorrelated_policy_without_room() {
      RetryPolicy policy =
          RetryPolicy.exponential(ofSeconds(1))
              .maxDelay(ofSeconds(1))
              .jitter(Jitter.decorrelated())
              .build();

      assertThat(ids(policy, ANYWHERE)).containsExactly("jitter-lost-at-cap");
    }

    @Test
    void sees_an_override_with_a_lower_cap() {
      RetryPolicy policy =
          RetryPolicy.fixed(ofSeconds(1))
              .jitter(Jitter.add(1))
              .override(ON_429.withMaxDelay(ofSeconds(1)))
              .build();

      assertThat(warningOf("jitter-lost-at-cap", policy, ANYWHERE).path())
          .isEqualTo("overrides[0].jitter");
    }

    private static RetryPolicy adding(int retries) {
      return RetryPolicy.exponential(ofSeconds(1))
          .maxDelay(ofSeconds(16))
          .maxRetries(retries)
          .jitter(Jitter.add(0.5))
          .build();
    }
  }

  @Nested
  class Amplification {

    @Test
    void multiplies_the_attempts_of_the_layers() {
      assertThat(Linter.lint(retries(2), use().layers(5).bound(100).build()))
          .containsExactly(
              new Linter.Warning(
                  "amplification",
                  "max_retries",
                  "while the service is down one request becomes 243 attempts: 1 + 2 retries, in"
                      + " each of 5 layers; the bound is 100",
                  "retry in one layer only, or write \"max_retries\": 1, and give the clients a"
                      + " retry budget"));
    }

    @Test
    void allows_the_bound_itself() {
      assertThat(ids(retries(5), ANYWHERE)).isEmpty();
      assertThat(ids(retries(6), ANYWHERE)).containsExactly("amplification");
      assertThat(ids(retries(2), use().layers(5).bound(243).build())).isEmpty();
    }

    @Test
    void says_how_many_retries_are_within_the_bound() {
      assertThat(
              warningOf("amplification", retries(10), use().layers(3).bound(1_000).build()).fix())
          .contains("\"max_retries\": 9");
      assertThat(warningOf("amplification", retries(9), use().bound(7.5).build()))
          .satisfies(
              warning -> {
                assertThat(warning.message())
                    .isEqualTo(
                        "while the service is down one request becomes 10 attempts: 1 + 9 retries;"
                            + " the bound is 7.50");
                assertThat(warning.fix()).contains("\"max_retries\": 6");
              });
    }

    @Test
    void writes_huge_numbers_short() {
      assertThat(warningOf("amplification", retries(9), use().layers(15).build()).message())
          .contains("becomes 1.0e+15 attempts");
      assertThat(warningOf("amplification", retries(9), use().layers(14).build()).message())
          .contains("becomes 100,000,000,000,000 attempts");
    }

    @Test
    void counts_only_the_retries_that_fit_before_the_expiry() {
      RetryPolicy unlimited =
          RetryPolicy.fixed(ofMinutes(10)).unlimitedRetries().expiresAfter(ofMinutes(50)).build();

      assertThat(ids(unlimited, ANYWHERE)).isEmpty();
      assertThat(ids(unlimited, use().bound(5).build())).containsExactly("amplification");
    }

    @Test
    void has_no_number_for_what_has_no_end() {
      RetryPolicy endless = RetryPolicy.fixed(ofDays(1)).unlimitedRetries().build();

      assertThat(warningOf("amplification", endless, use().bound(1e300).build()).message())
          .isEqualTo(
              "while the service is down one request becomes any number of attempts;"
                  + " the bound is 1.0e+300");
    }

    @Test
    void counts_no_further_than_ten_thousand() {
      assertThat(warningOf("amplification", retries(10_001), ANYWHERE).message())
          .contains("1 + at least 10,000 retries");
      assertThat(warningOf("amplification", retries(9_999), ANYWHERE).message())
          .contains("10,000 attempts: 1 + 9,999 retries");
    }

    private static RetryPolicy retries(int retries) {
      return RetryPolicy.fixed(ofMillis(1)).maxRetries(retries).jitter(Jitter.full()).build();
    }
  }

  @Nested
  class ImmediateRetries {

    private final RetryPolicy twice = RetryPolicy.immediate().maxRetries(2).build();

    @Test
    void warns_of_a_second_retry_without_a_wait() {
      assertThat(Linter.lint(twice, ANYWHERE))
          .containsExactly(
              new Linter.Warning(
                  "immediate-retries",
                  "backoff",
                  "1,000 clients that fail together send 2 retries each at once, before anything"
                      + " can have recovered",
                  "keep one immediate retry at most, or wait: \"backoff\": {\"type\":"
                      + " \"exponential\", \"initial\": \"100ms\"}"));
    }

    @Test
    void is_fine_with_one_retry_or_one_client_or_a_wait() {
      assertThat(ids(RetryPolicy.immediate().maxRetries(1).build(), ANYWHERE)).isEmpty();
      assertThat(ids(twice, use().clients(1).build())).isEmpty();
      assertThat(ids(twice, use().clients(2).build())).containsExactly("immediate-retries");
      assertThat(ids(RetryPolicy.fixed(ofMillis(1)).maxRetries(2).build(), ANYWHERE)).isEmpty();
    }

    @Test
    void warns_of_an_override_that_does_not_wait() {
      RetryPolicy policy =
          RetryPolicy.fixed(ofSeconds(1)).override(ON_429.withBackoff(Backoff.immediate())).build();

      assertThat(warningOf("immediate-retries", policy, ANYWHERE).path())
          .isEqualTo("overrides[0].backoff");
    }
  }
}
