// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.PolicyErrorAssertions.refusesAt;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RetryLimitTest {

  @Test
  void is_reached_by_the_last_allowed_attempt() {
    assertThat(RetryLimit.of(3).reachedBy(2)).isFalse();
    assertThat(RetryLimit.of(3).reachedBy(3)).isTrue();
    assertThat(RetryLimit.of(3).reachedBy(1L << 32)).isTrue();
    assertThat(RetryLimit.none().reachedBy(0)).isTrue();
    assertThat(RetryLimit.of(Integer.MAX_VALUE).reachedBy(Integer.MAX_VALUE - 1L)).isFalse();
    assertThat(RetryLimit.of(Integer.MAX_VALUE).reachedBy(Integer.MAX_VALUE)).isTrue();
  }

  @Test
  void is_never_reached_when_unlimited() {
    assertThat(RetryLimit.noLimit()).isEqualTo(new RetryLimit(true, 0));
    assertThat(RetryLimit.noLimit().unlimited()).isTrue();
    assertThat(RetryLimit.noLimit().reachedBy(0)).isFalse();
    assertThat(RetryLimit.noLimit().reachedBy(Long.MAX_VALUE)).isFalse();
  }

  @Test
  void is_three_by_default() {
    assertThat(RetryLimit.DEFAULT).isEqualTo(new RetryLimit(false, 3));
  }

  @Test
  void rejects_a_negative_number_and_a_number_with_unlimited() {
    refusesAt(() -> RetryLimit.of(-1), "max_retries");
    refusesAt(() -> new RetryLimit(true, 1), "max_retries");
    refusesAt(() -> new RetryLimit(true, -1), "max_retries");
  }
}
