// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class DecisionContextTest {

  @Test
  void begin_with_an_attempt_and_change_one_at_a_time() {
    Instant now = Instant.parse("2026-03-01T00:00:00Z");

    assertThat(DecisionContext.attempt(3)).isEqualTo(new DecisionContext(3, null, null, null));
    assertThat(
            DecisionContext.attempt(3)
                .withAge(ofSeconds(1))
                .withNow(now)
                .withPreviousDelay(ofSeconds(2)))
        .isEqualTo(new DecisionContext(3, ofSeconds(1), now, ofSeconds(2)));
  }

  @Test
  void refuse_an_attempt_below_zero() {
    assertThat(DecisionContext.attempt(0).attempt()).isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DecisionContext.attempt(-1))
        .withMessage("attempt must be 0 or more, not -1");
  }

  @Test
  void without_an_age_are_not_enough_for_a_policy_that_expires_after_a_while() {
    RetryPolicy policy = RetryPolicy.immediate().expiresAfter(ofSeconds(1)).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy.preview(DecisionContext.attempt(0), Failure.timeout()))
        .withMessageContaining("expires_after")
        .withMessageContaining("withAge");
  }

  @Test
  void without_an_instant_are_not_enough_for_a_policy_that_expires_at_one() {
    RetryPolicy policy = RetryPolicy.immediate().expiresAt(Instant.EPOCH).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy.preview(DecisionContext.attempt(0), Failure.timeout()))
        .withMessageContaining("expires_at")
        .withMessageContaining("withNow");
  }
}
