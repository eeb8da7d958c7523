// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.testing.FakeClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FakeClockTest {

  private final FakeClock clock = new FakeClock();

  @Test
  void does_not_move_by_itself() {
    assertThat(clock.instant()).isEqualTo(FakeClock.START).isEqualTo(clock.instant());
  }

  @Test
  void moves_when_the_test_moves_it() {
    assertThat(clock.advance(Duration.ofMillis(3))).isEqualTo("2026-03-01T12:00:00.003Z");
    assertThat(clock.instant()).isEqualTo("2026-03-01T12:00:00.003Z");
    clock.set(Instant.EPOCH);
    assertThat(clock.millis()).isZero();
  }

  @Test
  void advance_refuses_to_move_the_clock_back() {
    assertThatThrownBy(() -> clock.advance(Duration.ofSeconds(-1)))
        .hasMessage("cannot advance by PT-1S; use set(…) to move the clock back");
  }
}
