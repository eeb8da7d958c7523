// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecoveryDetectorTest {

  @Test
  void is_over_at_once_when_five_good_seconds_follow() {
    RecoveryDetector recoveryDetector = after(ofSeconds(2).toNanos(), 0, 0, 10, 10, 10, 10);
    assertThat(recoveryDetector.recovered()).isFalse();
    assertThat(recoveryDetector.drainTime()).isNull();

    recoveryDetector.secondEnded(6, 10, 10);
    assertThat(recoveryDetector.recovered()).isTrue();
    assertThat(recoveryDetector.drainTime()).isEqualTo(ofSeconds(0));
  }

  @Test
  void begins_with_the_first_whole_second() {
    assertThat(after(ofMillis(1_500).toNanos(), 10, 10, 10, 10, 10, 10, 10).drainTime())
        .isEqualTo(ofMillis(500));
    assertThat(after(ofMillis(1_500).toNanos(), 10, 10, 10, 10, 10, 10).drainTime()).isNull();
  }

  @Test
  void needs_nine_of_ten_in_five_seconds_together() {
    assertThat(after(0, 5, 10, 10, 10, 10).drainTime()).isEqualTo(ofSeconds(0));
    assertThat(after(0, 4, 10, 10, 10, 10).drainTime()).isNull();
    assertThat(after(0, 4, 10, 10, 10, 10, 10).drainTime()).isEqualTo(ofSeconds(1));
    assertThat(after(0, 0, 0, 0, 4, 10, 10, 10, 10, 10).drainTime()).isEqualTo(ofSeconds(4));
  }

  @Test
  void keeps_the_first_second_found() {
    assertThat(after(0, 5, 10, 10, 10, 10, 10, 10, 10).drainTime()).isEqualTo(ofSeconds(0));
  }

  @Test
  void begins_anew_when_the_service_falls_behind_again() {
    int[] half = {10, 10, 10, 10, 10, 5, 5, 5, 5, 5};
    int[] less = {10, 10, 10, 10, 10, 5, 5, 5, 5, 4};
    int[] recovered = {10, 10, 10, 10, 10, 5, 5, 5, 5, 4, 10, 10, 10, 10, 10};

    assertThat(after(0, half).drainTime()).isEqualTo(ofSeconds(0));
    assertThat(after(0, less).drainTime()).isNull();
    assertThat(after(0, recovered).drainTime()).isEqualTo(ofSeconds(10));
  }

  @Test
  void is_over_when_nobody_asks_for_anything() {
    RecoveryDetector recoveryDetector = new RecoveryDetector(0);
    for (int second = 0; second < 5; second++) {
      recoveryDetector.secondEnded(second, 0, 0);
    }

    assertThat(recoveryDetector.drainTime()).isEqualTo(ofSeconds(0));
  }

  /** Ten requests arrive in each second, so many of them are answered at once. */
  private static RecoveryDetector after(long outageEnd, int... prompt) {
    RecoveryDetector recoveryDetector = new RecoveryDetector(outageEnd);
    for (int second = 0; second < prompt.length; second++) {
      recoveryDetector.secondEnded(second, 10, prompt[second]);
    }
    return recoveryDetector;
  }
}
