// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetryCountersTest {

  private static final Duration DELAY = Duration.ofSeconds(3);

  private final RetryCounters third = new RetryCounters(2, 1, 1, DELAY);

  @Test
  void a_retry_is_the_next_attempt_and_forgets_the_losses() {
    assertThat(third.afterRetry(Duration.ofSeconds(9)))
        .isEqualTo(new RetryCounters(3, 0, 1, Duration.ofSeconds(9)));
  }

  @Test
  void a_loss_is_the_same_attempt() {
    assertThat(third.afterLoss()).isEqualTo(new RetryCounters(2, 2, 1, DELAY));
  }

  @Test
  void a_revive_is_the_next_attempt_and_the_policys_first() {
    RetryCounters revived = third.afterRevive();

    assertThat(revived).isEqualTo(new RetryCounters(3, 0, 3, null));
    assertThat(revived.policyAttempt()).isZero();
  }

  @Test
  void the_policy_counts_from_the_base() {
    assertThat(third.policyAttempt()).isEqualTo(1);
    assertThat(RetryCounters.INITIAL.policyAttempt()).isZero();
  }

  @Test
  void refuses_impossible_numbers() {
    assertThatThrownBy(() -> new RetryCounters(-1, 0, 0, null))
        .hasMessage("impossible: attempt -1, losses 0, retry base 0");
    assertThatThrownBy(() -> new RetryCounters(0, -1, 0, null)).hasMessageContaining("losses -1");
    assertThatThrownBy(() -> new RetryCounters(0, 0, -1, null)).hasMessageContaining("base -1");
    assertThatThrownBy(() -> new RetryCounters(1, 0, 2, null)).hasMessageContaining("base 2");
  }
}
