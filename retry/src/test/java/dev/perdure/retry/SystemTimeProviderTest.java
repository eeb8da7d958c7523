// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class SystemTimeProviderTest {

  private final TimeProvider timeProvider = TimeProvider.system();
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  private void schedule(String name, Duration delay) {
    timeProvider.schedule(() -> events.add(name), delay);
  }

  private String next() throws InterruptedException {
    return events.poll(30, TimeUnit.SECONDS);
  }

  @Test
  void runs_no_timer_too_early() throws InterruptedException {
    long start = System.nanoTime();
    schedule("one", ofMillis(30));
    assertThat(next()).isEqualTo("one");
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(ofMillis(30).toNanos());
  }

  @Test
  void runs_timers_by_due_time_not_by_creation() throws InterruptedException {
    TimeProvider.Cancellable late = timeProvider.schedule(() -> events.add("late"), ofDays(30));
    schedule("second", ofSeconds(4));
    schedule("first", ofSeconds(2));
    schedule("at once", Duration.ZERO);
    assertThat(List.of(next(), next(), next())).containsExactly("at once", "first", "second");
    late.cancel();
  }

  @Test
  void does_not_run_canceled_timers() throws InterruptedException {
    List<TimeProvider.Cancellable> timers = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      timers.add(timeProvider.schedule(() -> events.add("canceled"), ofSeconds(3)));
    }
    timers.forEach(TimeProvider.Cancellable::cancel);
    schedule("after", ofMillis(3_001));
    assertThat(next()).isEqualTo("after");
    assertThat(events).isEmpty();
  }

  @Test
  void a_task_that_throws_or_interrupts_its_thread_does_not_stop_others()
      throws InterruptedException {
    timeProvider.schedule(
        () -> {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("broken");
        },
        ofMillis(1));
    schedule("after", ofMillis(20));
    assertThat(next()).isEqualTo("after");
  }

  @Test
  void the_timer_thread_is_a_daemon() throws InterruptedException {
    timeProvider.schedule(
        () -> events.add("daemon " + Thread.currentThread().isDaemon()), Duration.ZERO);
    assertThat(next()).isEqualTo("daemon true");
  }
}
