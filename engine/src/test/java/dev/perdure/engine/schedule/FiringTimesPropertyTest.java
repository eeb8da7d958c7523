// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What holds for every trigger, zone and instant. */
class FiringTimesPropertyTest {

  private static final int TRIES = 4_000;
  private static final Instant START = Instant.parse("1995-01-01T00:00:00Z");
  private static final int SECONDS = 40 * 365 * 86_400;

  private final RandomCron random = new RandomCron(11);
  private final List<String> zones = ZoneId.getAvailableZoneIds().stream().sorted().toList();

  @Test
  void next_and_previous_agree_and_nothing_is_between() {
    for (int i = 0; i < TRIES; i++) {
      ZoneId zone = ZoneId.of(zones.get(random.below(zones.size())));
      Trigger trigger = i % 10 == 0 ? interval() : Trigger.cron(random.next(), zone);
      FiringTimes times = trigger.firingTimes(START);
      Instant at = instant(zone.getRules());
      Instant next = times.next(at);
      Instant later = times.next(next);
      Instant between = between(at, next);

      assertThat(next).as(trigger.toString()).isAfter(at).isBefore(later);
      assertThat(times.next(next.minusNanos(1))).as(trigger.toString()).isEqualTo(next);
      assertThat(times.next(between)).as(trigger.toString()).isEqualTo(next);
      assertThat(times.previousOrSame(next)).as(trigger.toString()).contains(next);
      assertThat(times.previousOrSame(later.minusNanos(1))).as(trigger.toString()).contains(next);
      assertThat(times.previousOrSame(between)).isEqualTo(times.previousOrSame(at));
    }
  }

  @Test
  void every_description_is_a_sentence_of_plain_words() {
    for (int i = 0; i < TRIES; i++) {
      String words = trigger(i).describe();

      assertThat(words)
          .matches("(every|on|from|at) .*[\\w)]")
          .doesNotContain("  ", " ,", ",,", "null", "hours 0 to 23", "minutes 0 to 59");
    }
  }

  @Test
  void expressions_with_the_same_description_mean_the_same() {
    Map<String, String> meanings = new HashMap<>();
    for (int i = 0; i < TRIES; i++) {
      String cron = random.next();
      String words = Trigger.cron(cron, ZoneOffset.UTC).describe();
      String meaning = new NaiveCron(cron).meaning();

      assertThat(meanings.merge(words, meaning, (first, second) -> first))
          .as("%s: %s", cron, words)
          .isEqualTo(meaning);
    }
    assertThat(meanings).hasSizeBetween(TRIES / 4, TRIES - TRIES / 100);
  }

  @Test
  void every_trigger_is_the_same_after_writing_and_reading() {
    for (int i = 0; i < TRIES; i++) {
      Trigger trigger = trigger(i);

      assertThat(TriggerJson.parse(TriggerJson.write(trigger).toString())).isEqualTo(trigger);
    }
  }

  private Trigger trigger(int i) {
    String zone = zones.get(random.below(zones.size()));
    return i % 10 == 0 ? interval() : Trigger.cron(random.next(), ZoneId.of(zone));
  }

  private Trigger interval() {
    return Trigger.every(Duration.ofMillis(1_000 + random.below(Integer.MAX_VALUE - 1_000)));
  }

  /** Any instant, or one up to six hours before a change of the clock. */
  private Instant instant(ZoneRules rules) {
    Instant any = START.plusSeconds(random.below(SECONDS)).plusMillis(random.below(1_000));
    ZoneOffsetTransition change = random.below(2) == 0 ? null : rules.nextTransition(any);
    return change == null ? any : change.getInstant().minusSeconds(random.below(6 * 3_600));
  }

  private Instant between(Instant from, Instant until) {
    long seconds = Duration.between(from, until).toSeconds();
    return from.plusSeconds(random.below(Math.clamp(seconds, 1, Integer.MAX_VALUE)));
  }
}
