// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import static dev.perdure.policy.FailureMatcher.status;
import static dev.perdure.policy.explain.LintContextBuilder.context;
import static dev.perdure.policy.explain.LintContextBuilder.ids;
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

  private static final Linter.LintContext DEFAULT = Linter.LintContext.DEFAULT;
  private static final PolicyOverride ON_429 = PolicyOverride.on(status(429));

  @Nested
  class NoJitter {

    private final RetryPolicy policy =
        RetryPolicy.exponential(ofSeconds(1)).maxRetries(4).jitter(Jitter.none()).build();

    @Test
    void names_the_delays_after_which_all_clients_retry() {
      assertThat(Linter.lint(policy, DEFAULT))
          .containsExactly(
              new Linter.Warning(
                  "no-jitter",
                  "jitter",
                  "1,000 clients that fail together retry together every time: after 1s, 2s, 4s, …",
                  "set \"jitter\": {\"type\": \"spread\", \"factor\": 0.25}"));
    }

    @Test
    void names_all_delays_of_a_short_policy() {
      RetryPolicy three = RetryPolicy.fixed(ofSeconds(1)).jitter(Jitter.none()).build();

      assertThat(warningOf("no-jitter", three, DEFAULT).message()).endsWith("after 1s, 1s, 1s");
    }

    @Test
    void counts_a_factor_of_zero_as_none() {
      assertThat(ids(fixed(Jitter.spread(0)), DEFAULT)).containsExactly("no-jitter");
      assertThat(ids(fixed(Jitter.add(0)), DEFAULT)).containsExactly("no-jitter");
    }

    @Test
    void accepts_any_jitter() {
      assertThat(ids(fixed(Jitter.spread(0.01)), DEFAULT)).isEmpty();
      assertThat(ids(fixed(Jitter.add(0.01)), DEFAULT)).isEmpty();
      assertThat(ids(fixed(Jitter.full()), DEFAULT)).isEmpty();
      assertThat(ids(fixed(Jitter.equal()), DEFAULT)).isEmpty();
      RetryPolicy decorrelated =
          RetryPolicy.linear(ofSeconds(1)).jitter(Jitter.decorrelated()).build();
      assertThat(ids(decorrelated, DEFAULT)).isEmpty();
    }

    @Test
    void accepts_a_single_client_no_delay_and_no_retry() {
      assertThat(ids(policy, context().clients(1).build())).isEmpty();
      assertThat(ids(policy, context().clients(2).build())).containsExactly("no-jitter");
      RetryPolicy immediate = RetryPolicy.immediate().maxRetries(1).jitter(Jitter.none()).build();
      assertThat(ids(immediate, DEFAULT)).isEmpty();
      RetryPolicy never =
          RetryPolicy.fixed(ofSeconds(1)).maxRetries(0).jitter(Jitter.none()).build();
      assertThat(ids(never, DEFAULT)).isEmpty();
    }

    @Test
    void warns_about_an_override_that_removes_the_jitter() {
      RetryPolicy overriding =
          RetryPolicy.fixed(ofSeconds(1)).override(ON_429.withJitter(Jitter.none())).build();

      assertThat(Linter.lint(overriding, DEFAULT))
          .extracting(Linter.Warning::id, Linter.Warning::path)
          .containsExactly(tuple("no-jitter", "overrides[0].jitter"));
    }

    @Test
    void warns_about_an_override_that_adds_a_delay() {
      RetryPolicy overriding =
          RetryPolicy.immediate()
              .maxRetries(1)
              .jitter(Jitter.none())
              .override(ON_429.withBackoff(Backoff.fixed(ofSeconds(1))))
              .build();

      assertThat(warningOf("no-jitter", overriding, DEFAULT).path())
          .isEqualTo("overrides[0].jitter");
    }

    @Test
    void does_not_repeat_the_warning_for_an_override_that_inherits_the_jitter() {
      RetryPolicy overriding =
          RetryPolicy.fixed(ofSeconds(1))
              .jitter(Jitter.none())
              .override(ON_429.withMaxRetries(1))
              .build();

      assertThat(ids(overriding, DEFAULT)).containsExactly("no-jitter");
    }

    private static RetryPolicy fixed(Jitter.Independent jitter) {
      return RetryPolicy.fixed(ofSeconds(1)).jitter(jitter).build();
    }
  }

  @Nested
  class JitterLostAtCap {

    @Test
    void names_the_first_retry_without_jitter() {
      assertThat(Linter.lint(adding(5), context().clients(50).build()))
          .containsExactly(
              new Linter.Warning(
                  "jitter-lost-at-cap",
                  "jitter",
                  "from retry 5 on, max_delay leaves no room for jitter: 50 clients retry together"
                      + " after exactly 16s",
                  "set \"jitter\": {\"type\": \"spread\", \"factor\": 0.25}, which also draws"
                      + " below max_delay, or a longer max_delay"));
    }

    @Test
    void accepts_a_cap_that_is_never_reached() {
      assertThat(ids(adding(4), DEFAULT)).isEmpty();
      assertThat(
              ids(RetryPolicy.exponential(ofSeconds(1)).jitter(Jitter.add(0.5)).build(), DEFAULT))
          .isEmpty();
    }

    @Test
    void accepts_a_single_client() {
      assertThat(ids(adding(5), context().clients(1).build())).isEmpty();
    }

    @Test
    void accepts_a_jitter_that_draws_below_the_cap() {
      RetryPolicy spread =
          RetryPolicy.fixed(ofSeconds(16)).maxDelay(ofSeconds(16)).maxRetries(5).build();

      assertThat(ids(spread, DEFAULT)).isEmpty();
    }

    @Test
    void leaves_policies_without_jitter_to_the_no_jitter_rule() {
      RetryPolicy none =
          RetryPolicy.fixed(ofSeconds(16)).maxDelay(ofSeconds(16)).jitter(Jitter.none()).build();

      assertThat(ids(none, DEFAULT)).containsExactly("no-jitter");
    }

    @Test
    void warns_about_decorrelated_jitter_without_room() {
      RetryPolicy policy =
          RetryPolicy.exponential(ofSeconds(1))
              .maxDelay(ofSeconds(1))
              .jitter(Jitter.decorrelated())
              .build();

      assertThat(ids(policy, DEFAULT)).containsExactly("jitter-lost-at-cap");
    }

    @Test
    void warns_about_an_override_with_a_lower_cap() {
      RetryPolicy policy =
          RetryPolicy.fixed(ofSeconds(1))
              .jitter(Jitter.add(1))
              .override(ON_429.withMaxDelay(ofSeconds(1)))
              .build();

      assertThat(warningOf("jitter-lost-at-cap", policy, DEFAULT).path())
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
    void multiplies_the_attempts_of_all_layers() {
      assertThat(Linter.lint(retries(2), context().layers(5).bound(100).build()))
          .containsExactly(
              new Linter.Warning(
                  "amplification",
                  "max_retries",
                  "while the service is down, one request becomes 243 attempts: 1 + 2 retries,"
                      + " with retries in each of 5 layers; the limit is 100",
                  "retry in one layer only, or set \"max_retries\": 1, and give the clients a"
                      + " retry budget"));
    }

    @Test
    void allows_the_limit_itself() {
      assertThat(ids(retries(5), DEFAULT)).isEmpty();
      assertThat(ids(retries(6), DEFAULT)).containsExactly("amplification");
      assertThat(ids(retries(2), context().layers(5).bound(243).build())).isEmpty();
    }

    @Test
    void suggests_how_many_retries_are_within_the_limit() {
      assertThat(
              warningOf("amplification", retries(10), context().layers(3).bound(1_000).build())
                  .fix())
          .contains("\"max_retries\": 9");
      assertThat(warningOf("amplification", retries(9), context().bound(7.5).build()))
          .satisfies(
              warning -> {
                assertThat(warning.message())
                    .isEqualTo(
                        "while the service is down, one request becomes 10 attempts: 1 + 9 retries;"
                            + " the limit is 7.50");
                assertThat(warning.fix()).contains("\"max_retries\": 6");
              });
    }

    @Test
    void shortens_huge_numbers() {
      assertThat(warningOf("amplification", retries(9), context().layers(15).build()).message())
          .contains("becomes 1.0e+15 attempts");
      assertThat(warningOf("amplification", retries(9), context().layers(14).build()).message())
          .contains("becomes 100,000,000,000,000 attempts");
    }

    @Test
    void counts_only_the_retries_that_fit_before_the_expiry() {
      RetryPolicy unlimited =
          RetryPolicy.fixed(ofMinutes(10)).unlimitedRetries().expiresAfter(ofMinutes(50)).build();

      assertThat(ids(unlimited, DEFAULT)).isEmpty();
      assertThat(ids(unlimited, context().bound(5).build())).containsExactly("amplification");
    }

    @Test
    void has_no_number_for_endless_retries() {
      RetryPolicy endless = RetryPolicy.fixed(ofDays(1)).unlimitedRetries().build();

      assertThat(warningOf("amplification", endless, context().bound(1e300).build()).message())
          .isEqualTo(
              "while the service is down, one request becomes an unlimited number of attempts;"
                  + " the limit is 1.0e+300");
    }

    @Test
    void counts_up_to_ten_thousand() {
      assertThat(warningOf("amplification", retries(10_001), DEFAULT).message())
          .contains("1 + at least 10,000 retries");
      assertThat(warningOf("amplification", retries(9_999), DEFAULT).message())
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
    void warns_about_a_second_retry_without_a_delay() {
      assertThat(Linter.lint(twice, DEFAULT))
          .containsExactly(
              new Linter.Warning(
                  "immediate-retries",
                  "backoff",
                  "1,000 clients that fail together each send 2 retries at once, before the service"
                      + " can recover",
                  "keep at most one immediate retry, or add a delay: \"backoff\": {\"type\":"
                      + " \"exponential\", \"initial\": \"100ms\"}"));
    }

    @Test
    void accepts_one_retry_one_client_or_a_delay() {
      assertThat(ids(RetryPolicy.immediate().maxRetries(1).build(), DEFAULT)).isEmpty();
      assertThat(ids(twice, context().clients(1).build())).isEmpty();
      assertThat(ids(twice, context().clients(2).build())).containsExactly("immediate-retries");
      assertThat(ids(RetryPolicy.fixed(ofMillis(1)).maxRetries(2).build(), DEFAULT)).isEmpty();
    }

    @Test
    void warns_about_an_override_without_a_delay() {
      RetryPolicy policy =
          RetryPolicy.fixed(ofSeconds(1)).override(ON_429.withBackoff(Backoff.immediate())).build();

      assertThat(warningOf("immediate-retries", policy, DEFAULT).path())
          .isEqualTo("overrides[0].backoff");
    }
  }
}
