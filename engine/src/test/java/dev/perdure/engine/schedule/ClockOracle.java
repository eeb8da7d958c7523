// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;

/**
 * Watches the clock of a zone minute by minute, as a person would, and says when each expression
 * must fire. It does not ask for transitions: it only sees what the clock shows, and remembers the
 * latest time that it has shown. A time before that is shown again; if the clock jumps past the
 * next minute, the times between were skipped.
 */
final class ClockOracle {

  /** What to do with each firing: the index of the expression, and the epoch second. */
  interface Listener {
    void fires(int expression, long second);
  }

  private static final int MINUTES_PER_DAY = 1_440;

  private final List<NaiveCron> expressions;
  private final ZoneRules rules;
  private final boolean[] dateMatches;
  private final boolean[] skippedMatch;
  private long date = Long.MIN_VALUE;

  ClockOracle(ZoneId zone, List<String> expressions) {
    this.expressions = expressions.stream().map(NaiveCron::new).toList();
    this.rules = zone.getRules();
    this.dateMatches = new boolean[expressions.size()];
    this.skippedMatch = new boolean[expressions.size()];
  }

  /** The epoch minutes at which the clock of the zone does not just show the next minute. */
  List<Long> changes(long from, long until) {
    List<Long> changes = new ArrayList<>();
    for (long hour = from; hour < until; hour += 60) {
      if (offset(hour) != offset(hour + 60)) {
        for (long minute = hour + 1; minute <= hour + 60; minute++) {
          if (offset(minute) != offset(minute - 1)) {
            changes.add(minute);
          }
        }
      }
    }
    return changes;
  }

  /** Watches the clock between two epoch minutes. */
  void watch(long from, long until, Listener listener) {
    List<Long> changes = changes(from, until);
    long latest = from + offset(from) - 1;
    int change = 0;
    long offset = offset(from);
    for (long now = from; now < until; now++) {
      if (change < changes.size() && changes.get(change) == now) {
        offset = offset(now);
        change++;
      }
      long shown = now + offset;
      if (shown > latest + 1) {
        noteSkipped(latest + 1, shown);
      }
      tell(now, shown, shown <= latest, listener);
      latest = Math.max(latest, shown);
    }
  }

  private long offset(long minute) {
    return rules.getOffset(Instant.ofEpochSecond(minute * 60)).getTotalSeconds() / 60;
  }

  private void noteSkipped(long from, long until) {
    for (long skipped = from; skipped < until; skipped++) {
      int time = lookAt(skipped);
      for (int i = 0; i < skippedMatch.length; i++) {
        NaiveCron cron = expressions.get(i);
        skippedMatch[i] |= !cron.everyHour && dateMatches[i] && cron.matchesTime(time);
      }
    }
  }

  private void tell(long now, long shown, boolean again, Listener listener) {
    int time = lookAt(shown);
    for (int i = 0; i < dateMatches.length; i++) {
      NaiveCron cron = expressions.get(i);
      boolean matches = dateMatches[i] && cron.matchesTime(time) && (!again || cron.hourHasStar);
      if (matches || skippedMatch[i]) {
        listener.fires(i, now * 60);
        skippedMatch[i] = false;
      }
    }
  }

  /** Compares the date of a local minute with the expressions; returns its time of day. */
  private int lookAt(long local) {
    long day = Math.floorDiv(local, MINUTES_PER_DAY);
    if (day != date) {
      date = day;
      for (int i = 0; i < dateMatches.length; i++) {
        dateMatches[i] = expressions.get(i).matchesDate(LocalDate.ofEpochDay(day));
      }
    }
    return (int) (local - day * MINUTES_PER_DAY);
  }
}
