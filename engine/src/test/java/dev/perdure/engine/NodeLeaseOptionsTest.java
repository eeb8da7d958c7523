// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class NodeLeaseOptionsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void refuses_a_renew_interval_of_0() {
    assertThatThrownBy(() -> new NodeLeaseOptions(Duration.ZERO, HOUR, MINUTE, SECOND))
        .hasMessage("renewInterval: must be more than 0, not PT0S");
  }

  @Test
  void refuses_a_negative_steady_time_before_reaping() {
    assertThatThrownBy(() -> new NodeLeaseOptions(SECOND, HOUR, MINUTE, SECOND.negated()))
        .hasMessage("steadyTimeBeforeReaping: must not be negative, not PT-1S");
  }

  @Test
  void refuses_a_stop_after_that_is_longer_than_the_validity() {
    assertThatThrownBy(() -> new NodeLeaseOptions(SECOND, MINUTE, HOUR, SECOND))
        .hasMessage(
            "renewInterval: must be less than stopAfter, and stopAfter less than validity, not PT1S, PT1H, PT1M");
  }
}
