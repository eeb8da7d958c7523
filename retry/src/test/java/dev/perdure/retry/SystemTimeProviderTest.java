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
import org.junit.jupiter.api.Test;

class SystemTimeProviderTest {

  private final TimeProvider timeProvider = TimeProvider.system();
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  private void plan(String name, Duration delay) {
    timeProvider.schedule(() -> heard.add(name), delay);
  }

  private String next() throws InterruptedException {
    return heard.poll(30, TimeUnit.SECONDS);
  }

  @Test
  void nothing_comes_before_its_time() throws InterruptedException {
    long begun = System.nanoTime();
    plan("one", ofMillis(30));
    assertThat(next()).isEqualTo("one");
    assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(ofMillis(30).toNanos());
  }

  @Test
  void what_is_due_earlier_does_not_wait_for_what_was_planned_before() throws InterruptedException {
    TimeProvider.Cancellable late = timeProvider.schedule(() -> heard.add("late"), ofDays(30));
    plan("second", ofSeconds(4));
    plan("first", ofSeconds(2));
    plan("at once", Duration.ZERO);
    assertThat(List.of(next(), next(), next())).containsExactly("at once", "first", "second");
    late.cancel();
  }

  @Test
  void what_is_called_off_does_not_come() throws InterruptedException {
    List<TimeProvider.Cancellable> planned = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      planned.add(timeProvider.schedule(() -> heard.add("called off"), ofSeconds(3)));
    }
    planned.forEach(TimeProvider.Cancellable::cancel);
    plan("after", ofMillis(3_001));
    assertThat(next()).isEqualTo("after");
    assertThat(heard).isEmpty();
  }

  @Test
  void a_task_that_throws_or_interrupts_its_thread_stops_no_other() throws InterruptedException {
    timeProvider.schedule(
        () -> {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("broken");
        },
        ofMillis(1));
    plan("after", ofMillis(20));
    assertThat(next()).isEqualTo("after");
  }

  @Test
  void the_timer_keeps_no_process_alive() throws InterruptedException {
    timeProvider.schedule(
        () -> heard.add("daemon " + Thread.currentThread().isDaemon()), Duration.ZERO);
    assertThat(next()).isEqualTo("daemon true");
  }
}
