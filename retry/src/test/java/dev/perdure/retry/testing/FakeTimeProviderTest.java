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

  private final FakeTimeProvider time = FakeTimeProvider.startingAt(START);
  private final List<String> events = new ArrayList<>();

  @Test
  void runs_due_tasks_in_order_and_at_their_time() {
    time.schedule(() -> events.add("b at " + time.now()), ofSeconds(2));
    time.schedule(() -> events.add("a at " + time.now()), ofSeconds(1));
    time.schedule(() -> events.add("c at " + time.now()), ofSeconds(2));
    time.schedule(() -> events.add("too late"), ofSeconds(4));
    time.advance(ofSeconds(3));
    assertThat(events)
        .containsExactly(
            "a at 2026-01-01T00:00:01Z", "b at 2026-01-01T00:00:02Z", "c at 2026-01-01T00:00:02Z");
    assertThat(time.now()).isEqualTo(START.plusSeconds(3));
    assertThat(time.pending()).isEqualTo(1);
  }

  @Test
  void does_not_run_canceled_tasks() {
    TimeProvider.Cancellable timer = time.schedule(() -> events.add("no"), ofSeconds(1));
    timer.cancel();
    time.advance(ofSeconds(2));
    assertThat(events).isEmpty();
  }

  @Test
  void setting_the_wall_clock_changes_nothing_else() {
    long before = time.nanoTime();
    time.schedule(() -> events.add("due"), ofSeconds(10));
    time.schedule(() -> time.setWallClock(Instant.EPOCH), ofSeconds(5));
    time.advance(ofSeconds(9));
    assertThat(events).isEmpty();
    assertThat(time.now()).isEqualTo(Instant.EPOCH.plusSeconds(4));
    time.advance(ofSeconds(1));
    assertThat(events).containsExactly("due");
    assertThat(time.nanoTime() - before).isEqualTo(ofSeconds(10).toNanos());
  }

  @Test
  void an_interrupt_ends_a_sleep_at_its_time() {
    time.schedule(Thread.currentThread()::interrupt, ofSeconds(2));
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> time.sleep(ofSeconds(5)));
    assertThat(time.now()).isEqualTo(START.plusSeconds(2));
    assertThat(time.sleeps()).containsExactly(ofSeconds(5));
  }

  @Test
  void a_task_that_schedules_itself_forever_is_an_error() {
    time.schedule(this::again, Duration.ZERO);
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> time.advance(ofSeconds(1)))
        .withMessageContaining("became due");
  }

  private void again() {
    time.schedule(this::again, Duration.ZERO);
  }

  @Test
  void handles_very_long_delays() throws InterruptedException {
    time.sleep(ofDays(100_000));
    time.schedule(() -> events.add("late"), ofDays(100_000));
    time.advance(ofDays(100_000));
    assertThat(events).containsExactly("late");
  }
}
