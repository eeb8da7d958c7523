// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.PolicyErrorAssertions.refusesAt;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RetryLimitTest {

  @Test
  void is_reached_by_the_attempt_that_used_up_the_last_retry() {
    assertThat(RetryLimit.of(3).reachedBy(2)).isFalse();
    assertThat(RetryLimit.of(3).reachedBy(3)).isTrue();
    assertThat(RetryLimit.of(3).reachedBy(1L << 32)).isTrue();
    assertThat(RetryLimit.none().reachedBy(0)).isTrue();
    assertThat(RetryLimit.of(Integer.MAX_VALUE).reachedBy(Integer.MAX_VALUE - 1L)).isFalse();
    assertThat(RetryLimit.of(Integer.MAX_VALUE).reachedBy(Integer.MAX_VALUE)).isTrue();
  }

  @Test
  void is_never_reached_when_there_is_none() {
    assertThat(RetryLimit.noLimit()).isEqualTo(new RetryLimit(true, 0));
    assertThat(RetryLimit.noLimit().unlimited()).isTrue();
    assertThat(RetryLimit.noLimit().reachedBy(0)).isFalse();
    assertThat(RetryLimit.noLimit().reachedBy(Long.MAX_VALUE)).isFalse();
  }

  @Test
  void is_three_unless_something_is_said() {
    assertThat(RetryLimit.DEFAULT).isEqualTo(new RetryLimit(false, 3));
  }

  @Test
  void is_zero_or_more_and_unlimited_has_no_number() {
    refusesAt(() -> RetryLimit.of(-1), "max_retries");
    refusesAt(() -> new RetryLimit(true, 1), "max_retries");
    refusesAt(() -> new RetryLimit(true, -1), "max_retries");
  }
}
