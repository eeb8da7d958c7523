// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecoveryDetectorTest {

  @Test
  void detects_recovery_after_five_good_seconds() {
    RecoveryDetector detector = after(ofSeconds(2).toNanos(), 0, 0, 10, 10, 10, 10);
    assertThat(detector.recovered()).isFalse();
    assertThat(detector.drainTime()).isNull();

    detector.secondEnded(6, 10, 10);
    assertThat(detector.recovered()).isTrue();
    assertThat(detector.drainTime()).isEqualTo(ofSeconds(0));
  }

  @Test
  void starts_with_the_first_whole_second() {
    assertThat(after(ofMillis(1_500).toNanos(), 10, 10, 10, 10, 10, 10, 10).drainTime())
        .isEqualTo(ofMillis(500));
    assertThat(after(ofMillis(1_500).toNanos(), 10, 10, 10, 10, 10, 10).drainTime()).isNull();
  }

  @Test
  void requires_90_percent_within_five_seconds() {
    assertThat(after(0, 5, 10, 10, 10, 10).drainTime()).isEqualTo(ofSeconds(0));
    assertThat(after(0, 4, 10, 10, 10, 10).drainTime()).isNull();
    assertThat(after(0, 4, 10, 10, 10, 10, 10).drainTime()).isEqualTo(ofSeconds(1));
    assertThat(after(0, 0, 0, 0, 4, 10, 10, 10, 10, 10).drainTime()).isEqualTo(ofSeconds(4));
  }

  @Test
  void keeps_the_first_recovered_second() {
    assertThat(after(0, 5, 10, 10, 10, 10, 10, 10, 10).drainTime()).isEqualTo(ofSeconds(0));
  }

  @Test
  void starts_again_when_the_service_relapses() {
    int[] half = {10, 10, 10, 10, 10, 5, 5, 5, 5, 5};
    int[] less = {10, 10, 10, 10, 10, 5, 5, 5, 5, 4};
    int[] recovered = {10, 10, 10, 10, 10, 5, 5, 5, 5, 4, 10, 10, 10, 10, 10};

    assertThat(after(0, half).drainTime()).isEqualTo(ofSeconds(0));
    assertThat(after(0, less).drainTime()).isNull();
    assertThat(after(0, recovered).drainTime()).isEqualTo(ofSeconds(10));
  }

  @Test
  void counts_seconds_without_requests_as_recovered() {
    RecoveryDetector detector = new RecoveryDetector(0);
    for (int second = 0; second < 5; second++) {
      detector.secondEnded(second, 0, 0);
    }

    assertThat(detector.drainTime()).isEqualTo(ofSeconds(0));
  }

  /**
   * Returns a detector after seconds with ten requests each, of which the given number were
   * answered at the first attempt.
   */
  private static RecoveryDetector after(long outageEnd, int... answered) {
    RecoveryDetector detector = new RecoveryDetector(outageEnd);
    for (int second = 0; second < answered.length; second++) {
      detector.secondEnded(second, 10, answered[second]);
    }
    return detector;
  }
}
