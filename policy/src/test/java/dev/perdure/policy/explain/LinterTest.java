// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import static dev.perdure.policy.FailureMatcher.status;
import static dev.perdure.policy.explain.LintContextBuilder.context;
import static dev.perdure.policy.explain.LintContextBuilder.ids;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LinterTest {

  private static final Linter.LintContext DEFAULT = Linter.LintContext.DEFAULT;
  private static final PolicyOverride ON_429 = PolicyOverride.on(status(429));

  @Nested
  class Presets {

    @Test
    void have_no_warnings() {
      assertThat(Linter.lint(RetryPolicy.http(), DEFAULT)).isEmpty();
      assertThat(Linter.lint(RetryPolicy.queue(), DEFAULT)).isEmpty();
      assertThat(Linter.lint(RetryPolicy.transientErrors(), DEFAULT)).isEmpty();
      assertThat(Linter.lint(RetryPolicy.none(), context().method("POST").build())).isEmpty();
    }

    @Test
    void have_no_warnings_with_a_key_kept_for_a_day() {
      Linter.LintContext keyed = context().method("POST").key(ofDays(1)).build();

      assertThat(Linter.lint(RetryPolicy.http(), keyed)).isEmpty();
      assertThat(Linter.lint(RetryPolicy.queue(), keyed)).isEmpty();
    }

    @Test
    void have_warnings_when_unlimited() {
      assertThat(ids(RetryPolicy.queueUnlimited(), DEFAULT))
          .containsExactly("unlimited-without-expiry", "amplification");
    }
  }

  @Test
  void reports_all_warnings_in_the_order_of_the_fields() {
    RetryPolicy policy =
        RetryPolicy.fixed(ofSeconds(1))
            .maxRetries(9)
            .jitter(Jitter.none())
            .expiresAfter(ofSeconds(8))
            .retryOn(FailureMatcher.parse("5xx"), FailureMatcher.parse("429"))
            .neverOn(FailureMatcher.parse("429"))
            .override(PolicyOverride.on(status(500)).withMaxRetries(20))
            .override(ON_429)
            .build();
    Linter.LintContext context = context().method("POST").build();

    assertThat(Linter.lint(policy, context).stream().map(w -> w.id() + " " + w.path()))
        .containsExactly(
            "amplification max_retries",
            "no-jitter jitter",
            "schedule-longer-than-expiry expires_after",
            "post-without-idempotency-key retry_on[0]",
            "never-matches retry_on[1]",
            "amplification overrides[0].max_retries",
            "schedule-longer-than-expiry overrides[0]",
            "never-matches overrides[1]");
  }

  @Test
  void ignores_fields_of_the_policy_that_no_failure_reaches() {
    RetryPolicy policy =
        RetryPolicy.immediate()
            .maxRetries(9)
            .jitter(Jitter.none())
            .override(
                PolicyOverride.on(FailureMatcher.any()).withMaxRetries(1).withJitter(Jitter.full()))
            .build();

    assertThat(Linter.lint(policy, DEFAULT)).isEmpty();
  }

  @Test
  void rejects_an_invalid_context_and_names_every_field() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Linter.LintContext(0, null, false, Duration.ZERO, 0, 0.5, null))
        .withMessage(
            "clients must be 1 or more, not 0; keyLifetime must be more than 0; layers must be 1 or"
                + " more, not 0; amplificationBound must be 1 or more, not 0.5");
    assertThat(new Linter.LintContext(1, null, false, ofMillis(1), 1, 1, null)).isNotNull();
  }
}
