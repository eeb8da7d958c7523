// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LanesTest {

  private static final Duration START = Duration.ofHours(3);

  @Nested
  class Room {

    @Test
    void a_host_has_its_share_and_the_others_the_rest() {
      Lanes lanes = new Lanes(3, 2);
      assertThat(lanes.enter("a", START)).isTrue();
      assertThat(lanes.enter("a", START)).isTrue();

      assertThat(lanes.enter("a", START)).isFalse();
      assertThat(lanes.enter("b", START)).isTrue();
      assertThat(lanes.enter("c", START)).isFalse();
    }

    @Test
    void who_leaves_makes_room_and_leaves_nothing_behind() {
      Lanes lanes = new Lanes(1, 1);
      for (int i = 0; i < 10; i++) {
        assertThat(lanes.enter("a", START)).isTrue();
        assertThat(lanes.hosts()).isOne();
        lanes.leave("a", START, START);
        assertThat(lanes.hosts()).isZero();
      }
    }

    @Test
    void who_is_turned_away_leaves_nothing_behind() {
      Lanes lanes = new Lanes(2, 1);
      assertThat(lanes.enter("a", START)).isTrue();
      assertThat(lanes.enter("b", START)).isTrue();
      for (int i = 0; i < 20; i++) {
        assertThat(lanes.enter("a", START)).isFalse();
        assertThat(lanes.enter("c", START)).isFalse();
        lanes.turn("c", START);
      }
      assertThat(lanes.hosts()).isEqualTo(2);
      lanes.leave("a", START, START);

      assertThat(lanes.enter("c", START)).isTrue();
    }

    @Test
    void hosts_of_any_number_are_not_all_remembered() {
      Lanes lanes = new Lanes(1, 1);
      for (int i = 0; i < 10 * Lanes.MOST_IDLE; i++) {
        String host = "host" + i;
        assertThat(lanes.enter(host, START)).isTrue();
        lanes.turn(host, START);
        lanes.leave(host, START, START);
        assertThat(lanes.hosts()).isLessThanOrEqualTo(Lanes.MOST_IDLE + 1);
      }
    }
  }

  /** Many calls to one host that all come at once; each comes again when it was told to. */
  private static final class Burst {

    private record Event(Duration at, boolean leaves, Duration since) {}

    private final Lanes lanes = new Lanes(64, 16);
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
          lanes.leave("a", event.since(), last);
          answered++;
        } else if (lanes.enter("a", last)) {
          events.add(new Event(last.plus(each), true, last));
        } else {
          events.add(new Event(last.plus(lanes.turn("a", last)), false, last));
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
  class Turn {

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
      burst.pass(Turns.LATEST.multipliedBy(2), Duration.ofMillis(10));

      assertThat(burst.answered).isEqualTo(1_000);
    }
  }
}
