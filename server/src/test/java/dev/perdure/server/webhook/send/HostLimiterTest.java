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
    void a_host_has_its_share_and_the_others_the_rest() {
      HostLimiter limiter = new HostLimiter(3, 2);
      assertThat(limiter.tryAcquire("a", START)).isTrue();
      assertThat(limiter.tryAcquire("a", START)).isTrue();

      assertThat(limiter.tryAcquire("a", START)).isFalse();
      assertThat(limiter.tryAcquire("b", START)).isTrue();
      assertThat(limiter.tryAcquire("c", START)).isFalse();
    }

    @Test
    void who_leaves_makes_room_and_leaves_nothing_behind() {
      HostLimiter limiter = new HostLimiter(1, 1);
      for (int i = 0; i < 10; i++) {
        assertThat(limiter.tryAcquire("a", START)).isTrue();
        assertThat(limiter.knownHosts()).isOne();
        limiter.release("a", START, START);
        assertThat(limiter.knownHosts()).isZero();
      }
    }

    @Test
    void who_is_turned_away_leaves_nothing_behind() {
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
    void hosts_of_any_number_are_not_all_remembered() {
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

  /** Many calls to one host that all come at once; each comes again when it was told to. */
  private static final class Burst {

    private record Event(Duration at, boolean leaves, Duration since) {}

    private final HostLimiter limiter = new HostLimiter(64, 16);
    private final PriorityQueue<Event> events =
        new PriorityQueue<>(Comparator.comparing(Event::at));
    private Duration last = START;
    private int answered;
    private int inVain;

    /** A thousand are tried in a second. */
    Burst(int calls) {
      for (int i = 0; i < calls; i++) {
        events.add(new Event(START.plusMillis(i), false, START));
      }
    }

    /** Lets time pass while each call takes so long. */
    Burst pass(Duration length, Duration each) {
      Duration end = last.plus(length);
      while (!events.isEmpty() && events.element().at().compareTo(end) <= 0) {
        Event event = events.remove();
        last = event.at();
        if (event.leaves()) {
          limiter.release("a", event.since(), last);
          answered++;
        } else if (limiter.tryAcquire("a", last)) {
          events.add(new Event(last.plus(each), true, last));
        } else {
          events.add(new Event(last.plus(limiter.retryIn("a", last)), false, last));
          inVain++;
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
    void a_burst_to_a_host_that_answers_is_through_about_as_soon_as_it_can_be() {
      for (int ms : new int[] {3, 30, 300, 3_000}) {
        int calls = 2_000;
        Burst burst = new Burst(calls).pass(Duration.ofHours(1), Duration.ofMillis(ms));

        Duration soonest = Duration.ofMillis((long) calls * ms / 16);
        assertThat(burst.answered).isEqualTo(calls);
        assertThat(burst.took())
            .as("calls of %d ms", ms)
            .isBetween(soonest, soonest.multipliedBy(5).dividedBy(4).plusSeconds(3));
        assertThat(burst.inVain).as("in vain, of %d ms", ms).isLessThan(4 * calls);
      }
    }

    @Test
    void a_host_that_hangs_is_seldom_tried() {
      Burst burst = new Burst(1_000).pass(Duration.ofMinutes(1), Duration.ofDays(1));
      assertThat(burst.inVain).isLessThan(4 * 1_000);
      int before = burst.inVain;
      burst.pass(Duration.ofHours(1), Duration.ofDays(1));

      assertThat(burst.inVain - before).as("in an hour").isBetween(12 * 984, 24 * 984);
    }

    @Test
    void who_waits_for_one_that_hung_is_back_soon_after_it_answers() {
      Burst burst = new Burst(1_000).pass(Duration.ofMinutes(30), Duration.ofMinutes(1));
      assertThat(burst.answered).isBetween(400, 600);
      burst.pass(ConcurrencyLimit.MAX_RETRY_IN.multipliedBy(2), Duration.ofMillis(10));

      assertThat(burst.answered).isEqualTo(1_000);
    }
  }
}
