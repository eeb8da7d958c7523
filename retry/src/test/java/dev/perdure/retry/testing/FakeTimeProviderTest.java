// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.testing;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.perdure.retry.TimeProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FakeTimeProviderTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final FakeTimeProvider waits = FakeTimeProvider.startingAt(START);
  private final List<String> heard = new ArrayList<>();

  @Test
  void runs_what_falls_due_in_order_at_its_instant() {
    waits.schedule(() -> heard.add("b at " + waits.now()), ofSeconds(2));
    waits.schedule(() -> heard.add("a at " + waits.now()), ofSeconds(1));
    waits.schedule(() -> heard.add("c at " + waits.now()), ofSeconds(2));
    waits.schedule(() -> heard.add("too late"), ofSeconds(4));
    waits.advance(ofSeconds(3));
    assertThat(heard)
        .containsExactly(
            "a at 2026-01-01T00:00:01Z", "b at 2026-01-01T00:00:02Z", "c at 2026-01-01T00:00:02Z");
    assertThat(waits.now()).isEqualTo(START.plusSeconds(3));
    assertThat(waits.pending()).isEqualTo(1);
  }

  @Test
  void what_is_called_off_does_not_run() {
    TimeProvider.Cancellable planned = waits.schedule(() -> heard.add("no"), ofSeconds(1));
    planned.cancel();
    waits.advance(ofSeconds(2));
    assertThat(heard).isEmpty();
  }

  @Test
  void a_wall_clock_that_is_set_moves_nothing_else() {
    long before = waits.nanoTime();
    waits.schedule(() -> heard.add("due"), ofSeconds(10));
    waits.schedule(() -> waits.setWallClock(Instant.EPOCH), ofSeconds(5));
    waits.advance(ofSeconds(9));
    assertThat(heard).isEmpty();
    assertThat(waits.now()).isEqualTo(Instant.EPOCH.plusSeconds(4));
    waits.advance(ofSeconds(1));
    assertThat(heard).containsExactly("due");
    assertThat(waits.nanoTime() - before).isEqualTo(ofSeconds(10).toNanos());
  }

  @Test
  void a_wait_is_ended_by_an_interrupt_at_its_instant() {
    waits.schedule(Thread.currentThread()::interrupt, ofSeconds(2));
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> waits.sleep(ofSeconds(5)));
    assertThat(waits.now()).isEqualTo(START.plusSeconds(2));
    assertThat(waits.sleeps()).containsExactly(ofSeconds(5));
  }

  @Test
  void what_schedules_itself_for_ever_is_an_error() {
    waits.schedule(this::again, Duration.ZERO);
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> waits.advance(ofSeconds(1)))
        .withMessageContaining("fell due");
  }

  private void again() {
    waits.schedule(this::again, Duration.ZERO);
  }

  @Test
  void no_time_is_too_long() throws InterruptedException {
    waits.sleep(ofDays(100_000));
    waits.schedule(() -> heard.add("late"), ofDays(100_000));
    waits.advance(ofDays(100_000));
    assertThat(heard).containsExactly("late");
  }
}
