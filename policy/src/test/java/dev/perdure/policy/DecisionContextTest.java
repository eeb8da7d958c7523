// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class DecisionContextTest {

  @Test
  void starts_with_an_attempt_and_sets_fields_one_by_one() {
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
  void rejects_a_negative_attempt() {
    assertThat(DecisionContext.attempt(0).attempt()).isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DecisionContext.attempt(-1))
        .withMessage("attempt must be 0 or more, not -1");
  }

  @Test
  void needs_an_age_for_a_policy_with_expires_after() {
    RetryPolicy policy = RetryPolicy.immediate().expiresAfter(ofSeconds(1)).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy.preview(DecisionContext.attempt(0), Failure.timeout()))
        .withMessageContaining("expires_after")
        .withMessageContaining("withAge");
  }

  @Test
  void needs_the_current_time_for_a_policy_with_expires_at() {
    RetryPolicy policy = RetryPolicy.immediate().expiresAt(Instant.EPOCH).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy.preview(DecisionContext.attempt(0), Failure.timeout()))
        .withMessageContaining("expires_at")
        .withMessageContaining("withNow");
  }
}
