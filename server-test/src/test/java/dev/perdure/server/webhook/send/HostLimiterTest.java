// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class HostLimiterTest {

  private static final Duration START = Duration.ofHours(3);

  @Nested
  class HostLimits {

    @Test
    void limits_the_calls_per_host_and_in_total() {
      HostLimiter limiter = new HostLimiter(3, 2);
      assertThat(limiter.tryAcquire("a", START)).isTrue();
      assertThat(limiter.tryAcquire("a", START)).isTrue();

      assertThat(limiter.tryAcquire("a", START)).isFalse();
      assertThat(limiter.tryAcquire("b", START)).isTrue();
      assertThat(limiter.tryAcquire("c", START)).isFalse();
    }

    @Test
    void a_released_host_is_forgotten() {
      HostLimiter limiter = new HostLimiter(1, 1);
      for (int i = 0; i < 10; i++) {
        assertThat(limiter.tryAcquire("a", START)).isTrue();
        assertThat(limiter.knownHosts()).isOne();
        limiter.release("a", START, START);
        assertThat(limiter.knownHosts()).isZero();
      }
    }

    @Test
    void a_rejected_call_adds_no_host() {
      HostLimiter limiter = new HostLimiter(2, 1);
      assertThat(limiter.tryAcquire("a", START)).isTrue();
      assertThat(limiter.tryAcquire("b", START)).isTrue();
      for (int i = 0; i < 20; i++) {
        assertThat(limiter.tryAcquire("a", START)).isFalse();
        assertThat(limiter.tryAcquire("c", START)).isFalse();
        limiter.retryIn("c", START);
      }
      assertThat(limiter.knownHosts()).isEqualTo(2);
      limiter.release("a", START, START);

      assertThat(limiter.tryAcquire("c", START)).isTrue();
    }

    @Test
    void the_number_of_remembered_hosts_is_bounded() {
      HostLimiter limiter = new HostLimiter(1, 1);
      for (int i = 0; i < 10 * HostLimiter.MAX_IDLE_HOSTS; i++) {
        String host = "host" + i;
        assertThat(limiter.tryAcquire(host, START)).isTrue();
        limiter.retryIn(host, START);
        limiter.release(host, START, START);
        assertThat(limiter.knownHosts()).isLessThanOrEqualTo(HostLimiter.MAX_IDLE_HOSTS + 1);
      }
    }
  }

  /** Simulates many calls to one host that start at once; each retries at the time it was given. */
  private static final class Burst {

    private record Event(Duration at, boolean ends, Duration since) {}

    private final HostLimiter limiter = new HostLimiter(64, 16);
    private final PriorityQueue<Event> events =
        new PriorityQueue<>(Comparator.comparing(Event::at));
    private Duration last = START;
    private int completed;
    private int rejected;

    /** Starts one call per millisecond. */
    Burst(int calls) {
      for (int i = 0; i < calls; i++) {
        events.add(new Event(START.plusMillis(i), false, START));
      }
    }

    /** Advances the time by {@code length}, during which each call takes {@code each}. */
    Burst pass(Duration length, Duration each) {
      Duration end = last.plus(length);
      while (!events.isEmpty() && events.element().at().compareTo(end) <= 0) {
        Event event = events.remove();
        last = event.at();
        if (event.ends()) {
          limiter.release("a", event.since(), last);
          completed++;
        } else if (limiter.tryAcquire("a", last)) {
          events.add(new Event(last.plus(each), true, last));
        } else {
          events.add(new Event(last.plus(limiter.retryIn("a", last)), false, last));
          rejected++;
        }
      }
      return this;
    }

    Duration took() {
      return last.minus(START);
    }
  }

  @Nested
  class RetryIn {

    @Test
    void a_burst_to_a_responsive_host_takes_little_longer_than_the_minimum() {
      for (int ms : new int[] {3, 30, 300, 3_000}) {
        int calls = 2_000;
        Burst burst = new Burst(calls).pass(Duration.ofHours(1), Duration.ofMillis(ms));

        Duration minimum = Duration.ofMillis((long) calls * ms / 16);
        assertThat(burst.completed).isEqualTo(calls);
        assertThat(burst.took())
            .as("calls of %d ms", ms)
            .isBetween(minimum, minimum.multipliedBy(5).dividedBy(4).plusSeconds(3));
        assertThat(burst.rejected).as("rejected, calls of %d ms", ms).isLessThan(4 * calls);
      }
    }

    @Test
    void a_hanging_host_is_tried_rarely() {
      Burst burst = new Burst(1_000).pass(Duration.ofMinutes(1), Duration.ofDays(1));
      assertThat(burst.rejected).isLessThan(4 * 1_000);
      int before = burst.rejected;
      burst.pass(Duration.ofHours(1), Duration.ofDays(1));

      assertThat(burst.rejected - before).as("in an hour").isBetween(12 * 984, 24 * 984);
    }

    @Test
    void calls_to_a_recovered_host_complete_soon() {
      Burst burst = new Burst(1_000).pass(Duration.ofMinutes(30), Duration.ofMinutes(1));
      assertThat(burst.completed).isBetween(400, 600);
      burst.pass(ConcurrencyLimit.MAX_RETRY_IN.multipliedBy(2), Duration.ofMillis(10));

      assertThat(burst.completed).isEqualTo(1_000);
    }
  }
}
