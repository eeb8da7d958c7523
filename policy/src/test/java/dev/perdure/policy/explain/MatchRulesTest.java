// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import static dev.perdure.policy.explain.LintContextBuilder.context;
import static dev.perdure.policy.explain.LintContextBuilder.ids;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.RetryPolicyBuilder;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MatchRulesTest {

  @Nested
  class PostWithoutIdempotencyKey {

    private static final String ID = "post-without-idempotency-key";

    @ParameterizedTest
    @ValueSource(
        strings = {
          "timeout",
          "http",
          "webhook_failure",
          "exception",
          "5xx",
          "503",
          "3xx",
          "399",
          "*",
          "exception:java.io.IOException"
        })
    void warns_when_the_work_may_have_been_done(String matcher) {
      assertThat(ids(retrying(matcher).build(), context().method("POST").build()))
          .containsExactly(ID);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "429",
          "4xx",
          "400-499",
          "explicit",
          "code:no_slots",
          "exception:java.net.ConnectException"
        })
    void accepts_failures_that_prove_the_work_was_not_done(String matcher) {
      assertThat(ids(retrying(matcher).build(), context().method("POST").build())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"POST,1", "post,1", "PATCH,1", "GET,0", "PUT,0", "DELETE,0"})
    void depends_on_the_method(String method, int warnings) {
      assertThat(ids(retrying("5xx").build(), context().method(method).build())).hasSize(warnings);
    }

    @Test
    void accepts_a_key_or_an_unknown_method() {
      assertThat(ids(retrying("5xx").build(), context().method("POST").key(ofDays(1)).build()))
          .isEmpty();
      assertThat(ids(retrying("5xx").build(), context().build())).isEmpty();
    }

    @Test
    void accepts_entries_that_an_override_or_never_on_disables() {
      PolicyOverride never = PolicyOverride.on(matchers("5xx")).withMaxRetries(0);

      assertThat(
              ids(retrying("429", "5xx").override(never).build(), context().method("POST").build()))
          .isEmpty();
      assertThat(
              ids(
                  retrying("500-503", "429").neverOn(matchers("500-502", "503")).build(),
                  context().method("POST").build()))
          .doesNotContain(ID);
    }

    @Test
    void reports_only_the_first_entry() {
      RetryPolicy policy = retrying("429", "timeout", "5xx").build();

      assertThat(Linter.lint(policy, context().method("PATCH").build()))
          .containsExactly(
              new Linter.Warning(
                  ID,
                  "retry_on[1]",
                  "a PATCH that failed with timeout may have done its work anyway: the retry"
                      + " does it again",
                  "send the same Idempotency-Key on every attempt, or retry only requests that"
                      + " were rejected before any work: \"retry_on\": [\"429\"]"));
    }
  }

  @Nested
  class EntriesOfRetryOn {

    @ParameterizedTest
    @CsvSource({
      "503,503",
      "code:a,code:a",
      "exception:a.B,exception:a.B",
      "exception:a.B,exception:B",
      "500-503,500-503",
      "500-503,5xx 499-600",
      "500-501,500 501",
      "5xx,5xx",
      "5xx,500-599",
      "5xx,500-550 551-599",
      "timeout,timeout",
      "*,*",
      "*,timeout webhook_failure explicit exception http"
    })
    void have_no_effect_if_never_on_is_as_specific(String entry, String neverOn) {
      RetryPolicy policy = retrying(entry).neverOn(matchers(neverOn.split(" "))).build();

      assertThat(Linter.lint(policy, context().build()))
          .contains(
              new Linter.Warning(
                  "never-matches",
                  "retry_on[0]",
                  entry
                      + " has no effect: never_on matches the same failures at least as"
                      + " specifically, and wins",
                  "remove it, or remove the failures from never_on"));
    }

    @ParameterizedTest
    @CsvSource({
      "503,5xx",
      "503,502",
      "500-503,5xx",
      "500-503,500-502",
      "5xx,500-598",
      "5xx,501-599",
      "code:a,explicit",
      "code:a,code:b",
      "exception:B,exception:a.B",
      "exception:a.B,exception:a.A",
      "timeout,*",
      "timeout,http",
      "*,timeout webhook_failure explicit exception"
    })
    void have_an_effect_if_never_on_is_less_specific_or_narrower(String entry, String neverOn) {
      RetryPolicy policy = retrying(entry).neverOn(matchers(neverOn.split(" "))).build();

      assertThat(Linter.lint(policy, context().build())).isEmpty();
    }
  }

  @Nested
  class Overrides {

    @ParameterizedTest
    @CsvSource({
      "503,5xx",
      "503,503",
      "500-503,500-501 502-503",
      "5xx,http webhook_failure timeout explicit exception",
      "code:a,*",
      "timeout,timeout 5xx",
      "503 504,5xx"
    })
    void have_no_effect_after_an_override_that_matches_everything(String on, String earlier) {
      RetryPolicy policy =
          RetryPolicy.fixed(ofSeconds(1))
              .override(PolicyOverride.on(matchers(earlier.split(" "))).withMaxRetries(1))
              .override(PolicyOverride.on(matchers(on.split(" "))).withMaxRetries(2))
              .build();

      assertThat(Linter.lint(policy, context().build()))
          .containsExactly(
              new Linter.Warning(
                  "never-matches",
                  "overrides[1]",
                  "the override has no effect: earlier overrides match all of its failures first",
                  "move it before them, or remove it"));
    }

    @ParameterizedTest
    @CsvSource({
      "5xx,503",
      "503 429,5xx",
      "503,http",
      "5xx,http webhook_failure timeout explicit",
      "code:a,code:b explicit",
      "timeout,5xx"
    })
    void have_an_effect_after_a_narrower_override(String on, String earlier) {
      RetryPolicy policy =
          RetryPolicy.fixed(ofSeconds(1))
              .override(PolicyOverride.on(matchers(earlier.split(" "))).withMaxRetries(1))
              .override(PolicyOverride.on(matchers(on.split(" "))).withMaxRetries(2))
              .build();

      assertThat(Linter.lint(policy, context().build())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"404,5xx,4xx", "503,429,*", "timeout,http,timeout", "5xx,*,5xx"})
    void have_no_effect_on_failures_that_are_not_retried(
        String on, String retryOn, String neverOn) {
      RetryPolicy policy =
          retrying(retryOn)
              .neverOn(matchers(neverOn))
              .override(PolicyOverride.on(matchers(on)).withMaxRetries(2))
              .build();

      assertThat(Linter.lint(policy, context().build()))
          .containsExactly(
              new Linter.Warning(
                  "never-matches",
                  "overrides[0]",
                  "the override has no effect: its failures are not retried",
                  "add them to retry_on, remove them from never_on, or remove the override"));
    }

    /** A failure can have a status, a code and an exception, and be of any kind. */
    @ParameterizedTest
    @CsvSource({
      "503,code:a,5xx",
      "503,exception:a.B,timeout",
      "code:a,503,explicit",
      "code:a,5xx,explicit",
      "code:a,500-503,explicit",
      "exception:a.B,code:a,timeout",
      "503,webhook_failure,http",
      "timeout,408,timeout"
    })
    void have_an_effect_on_failures_that_another_property_makes_retryable(
        String on, String retryOn, String neverOn) {
      RetryPolicy policy =
          retrying(retryOn)
              .neverOn(matchers(neverOn))
              .override(PolicyOverride.on(matchers(on)).withMaxRetries(2))
              .build();

      assertThat(Linter.lint(policy, context().build())).isEmpty();
    }

    @Test
    void are_checked_even_if_they_change_nothing() {
      RetryPolicy policy = retrying("503").override(PolicyOverride.on(matchers("404"))).build();

      assertThat(ids(policy, context().build())).containsExactly("never-matches");
    }

    @Test
    void get_no_warning_when_the_search_is_too_large() {
      FailureMatcher[] codes =
          IntStream.range(0, 100)
              .mapToObj(i -> FailureMatcher.code("c" + i))
              .toArray(FailureMatcher[]::new);
      PolicyOverride unreachable = PolicyOverride.on(matchers("100-999")).withMaxRetries(1);
      RetryPolicy policy =
          RetryPolicy.fixed(ofSeconds(1))
              .retryOn(codes)
              .neverOn(codes)
              .override(unreachable)
              .build();

      assertThat(Linter.lint(policy, context().build()))
          .hasSize(100)
          .noneMatch(warning -> warning.path().startsWith("overrides"));
    }
  }

  private static RetryPolicyBuilder.Plain retrying(String... matchers) {
    return RetryPolicy.fixed(ofSeconds(1)).retryOn(matchers(matchers));
  }

  private static FailureMatcher[] matchers(String... texts) {
    return List.of(texts).stream().map(FailureMatcher::parse).toArray(FailureMatcher[]::new);
  }
}
