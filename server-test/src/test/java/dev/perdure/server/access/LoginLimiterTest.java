// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoginLimiterTest {

  private Duration now = Duration.ofDays(1);
  private final LoginLimiter limiter = new LoginLimiter(() -> now);

  private void fail(String address, int attempts) {
    for (int i = 0; i < attempts; i++) {
      assertThat(limiter.tryAttempt(address)).as("attempt %d", i).isEmpty();
    }
  }

  @Test
  void an_address_has_ten_attempts_in_the_minute_after_the_first_one() {
    fail("10.0.0.1", 1);
    now = now.plusSeconds(20);
    fail("10.0.0.1", 9);

    assertThat(limiter.tryAttempt("10.0.0.1")).contains(Duration.ofSeconds(40));
    fail("10.0.0.2", 10);
    now = now.plusSeconds(40).minusMillis(1);
    assertThat(limiter.tryAttempt("10.0.0.1")).contains(Duration.ofMillis(1));
    now = now.plusMillis(1);
    fail("10.0.0.1", 10);
  }

  @Test
  void right_keys_do_not_count() {
    for (int i = 0; i < 100; i++) {
      fail("10.0.0.1", 1);
      limiter.forgive("10.0.0.1");
    }
    limiter.forgive("10.0.0.1");

    fail("10.0.0.1", 10);
    assertThat(limiter.tryAttempt("10.0.0.1")).isPresent();
  }

  @Test
  void beyond_a_thousand_addresses_the_oldest_is_forgotten() {
    fail("first", 10);
    fail("second", 10);
    for (int i = 0; i < 999; i++) {
      fail("10.0.0." + i, 1);
    }

    assertThat(limiter.tryAttempt("second")).isPresent();
    fail("first", 10);
  }
}
