// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TurnsTest {

  private static final Duration START = Duration.ofHours(3);

  private static Turns full(int places) {
    Turns turns = new Turns(places);
    while (!turns.isFull()) {
      turns.enter(START);
    }
    return turns;
  }

  private static Duration step(Turns turns, Duration now) {
    return turns.next(now).minus(turns.next(now)).negated();
  }

  @Test
  void follow_each_other_as_fast_as_places_come_free() {
    Turns turns = full(4);
    Duration now = START;
    for (int i = 0; i < 40; i++) {
      turns.leave(now.minusMillis(800), now);
      turns.enter(now);
      now = now.plusMillis(200);
    }

    assertThat(step(turns, now)).isBetween(Duration.ofMillis(190), Duration.ofMillis(210));
  }

  @Test
  void come_further_apart_the_longer_nobody_leaves() {
    Turns turns = full(10);

    assertThat(step(turns, START.plusSeconds(5))).isEqualTo(Duration.ofMillis(500));
    assertThat(step(turns, START.plusSeconds(20))).isEqualTo(Duration.ofSeconds(2));
    assertThat(step(turns, START.plusSeconds(7_200))).isEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void a_few_that_hang_do_not_count_while_others_come_and_go() {
    Turns turns = full(4);
    Duration now = START;
    for (int i = 0; i < 400; i++) {
      now = now.plusMillis(100);
      turns.leave(now.minusMillis(100), now);
      turns.enter(now);
    }

    assertThat(step(turns, now)).isEqualTo(Duration.ofMillis(25));
  }

  @Test
  void are_within_limits_and_spread_however_many_wait() {
    Turns turns = full(16);
    Map<Duration, Integer> at = new HashMap<>();
    Duration now = START.plusSeconds(30);
    for (int i = 0; i < 10_000; i++) {
      Duration turn = turns.next(now);
      assertThat(turn).isBetween(Turns.SOONEST, Turns.LATEST);
      at.merge(turn.truncatedTo(ChronoUnit.SECONDS), 1, Integer::sum);
    }

    assertThat(at.values()).allMatch(count -> count < 200);
  }

  @Test
  void begin_anew_when_the_last_one_has_come() {
    Turns turns = full(1);
    for (int i = 0; i < 100; i++) {
      turns.next(START);
    }
    Duration later = START.plus(Turns.LATEST).plusSeconds(1);

    assertThat(turns.next(later)).isEqualTo(Turns.SOONEST);
    assertThat(turns.isOver(later.plusSeconds(600))).as("somebody is there").isFalse();
    turns.leave(START, later);
    assertThat(turns.isOver(later)).as("somebody is to come").isFalse();
    assertThat(turns.isOver(later.plusSeconds(600))).isTrue();
  }
}
