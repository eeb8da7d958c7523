// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Invariants that make it possible to write every policy as JSON and read it back. */
class PolicyInvariantsTest {

  @Test
  void only_one_policy_never_retries() {
    RetryPolicy none = RetryPolicy.none();

    assertThatThrownBy(
            () ->
                new RetryPolicy(
                    none.maxRetries(),
                    Backoff.fixed(Duration.ofSeconds(1)),
                    none.jitter(),
                    none.maxDelay(),
                    none.expiry(),
                    List.of(),
                    List.of(),
                    none.retryAfter(),
                    List.of()))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessageContaining("retry_on");
  }

  @Test
  void rejects_negative_zero() {
    assertThatThrownBy(() -> Jitter.spread(-0.0)).isInstanceOf(InvalidPolicyException.class);
    assertThatThrownBy(() -> Jitter.add(Double.NaN)).isInstanceOf(InvalidPolicyException.class);
    assertThat(Jitter.spread(0)).isEqualTo(new Jitter.Spread(0));
  }

  @Test
  void reports_an_invalid_max_delay_once() {
    InvalidPolicyException thrown =
        catchThrowableOfType(
            InvalidPolicyException.class,
            () -> RetryPolicy.fixed(Duration.ofSeconds(1)).maxDelay(Duration.ofMillis(-3)).build());

    assertThat(thrown.errors()).extracting(FieldError::path).containsExactly("max_delay");
  }

  @Test
  void rejects_names_that_a_database_cannot_store() {
    for (String name : List.of("a\0b", "a\nb", "\ud800", "x\udc00y")) {
      assertThatThrownBy(() -> FailureMatcher.code(name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("control characters");
    }
    assertThat(FailureMatcher.code("\ud83d\ude00").text()).isEqualTo("code:\ud83d\ude00");
  }

  @Test
  void quotes_only_whole_characters() {
    String cut = FieldError.sanitize("x".repeat(59) + "\ud83d\ude00 and more");

    assertThat(cut).isEqualTo("x".repeat(59) + "?…");
    assertThat(FieldError.sanitize("a\nb\ud83d\ude00")).isEqualTo("a?b\ud83d\ude00");
  }

  @Test
  void does_not_limit_the_default_retry_after_cap() {
    PolicyLimits limits = new PolicyLimits(10, Duration.ofHours(1));

    assertThat(limits.check(RetryPolicy.fixed(Duration.ofSeconds(1)).build())).isEmpty();
    assertThat(
            limits.check(
                RetryPolicy.fixed(Duration.ofSeconds(1))
                    .retryAfterCap(Duration.ofHours(2))
                    .build()))
        .extracting(FieldError::path)
        .containsExactly("retry_after.cap");
  }
}
