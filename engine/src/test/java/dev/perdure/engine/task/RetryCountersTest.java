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
  void a_retry_increments_the_attempt_and_resets_the_losses() {
    assertThat(third.afterRetry(Duration.ofSeconds(9)))
        .isEqualTo(new RetryCounters(3, 0, 1, Duration.ofSeconds(9)));
  }

  @Test
  void a_loss_keeps_the_attempt_and_increments_the_losses() {
    assertThat(third.afterLoss()).isEqualTo(new RetryCounters(2, 2, 1, DELAY));
  }

  @Test
  void a_revive_increments_the_attempt_and_restarts_the_policys_count() {
    RetryCounters revived = third.afterRevive();

    assertThat(revived).isEqualTo(new RetryCounters(3, 0, 3, null));
    assertThat(revived.policyAttempt()).isZero();
  }

  @Test
  void the_policys_attempt_is_counted_from_the_retry_base() {
    assertThat(third.policyAttempt()).isEqualTo(1);
    assertThat(RetryCounters.INITIAL.policyAttempt()).isZero();
  }

  @Test
  void refuses_negative_numbers_and_a_base_beyond_the_attempt() {
    assertThatThrownBy(() -> new RetryCounters(-1, 0, 0, null))
        .hasMessage("impossible: attempt -1, losses 0, retry base 0");
    assertThatThrownBy(() -> new RetryCounters(0, -1, 0, null)).hasMessageContaining("losses -1");
    assertThatThrownBy(() -> new RetryCounters(0, 0, -1, null)).hasMessageContaining("base -1");
    assertThatThrownBy(() -> new RetryCounters(1, 0, 2, null)).hasMessageContaining("base 2");
  }
}
