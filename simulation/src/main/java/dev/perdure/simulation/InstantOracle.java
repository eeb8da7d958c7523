// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When a trigger must fire, found without the code under test: it counts intervals, or looks at
 * each minute of the clock on the wall.
 *
 * @param every the interval; zero if it follows the clock
 * @param rules the time zone
 * @param minutes the minutes of the hour
 * @param hours the hours of the day; null for all, written as a star
 */
record InstantOracle(
    Duration every, ZoneRules rules, Set<Integer> minutes, @Nullable Set<Integer> hours) {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** The longest time between two firings, with an hour to spare. */
  static final Duration LONGEST = Duration.ofHours(26);

  static InstantOracle every(Duration interval) {
    return new InstantOracle(interval, ZoneOffset.UTC.getRules(), Set.of(), null);
  }

  /** The instants after one and up to another, for a schedule that counts from the anchor. */
  List<Instant> between(Instant anchor, Instant after, Instant upTo) {
    Instant from = after.isBefore(anchor) ? anchor : after;
    List<Instant> found = new ArrayList<>();
    if (!every.isZero()) {
      long passed = Duration.between(anchor, from).dividedBy(every);
      Instant at = anchor.plus(every.multipliedBy(passed + 1));
      for (; !at.isAfter(upTo); at = at.plus(every)) {
        found.add(at);
      }
      return found;
    }
    Instant minute = Instant.ofEpochSecond(Math.floorDiv(from.getEpochSecond(), 60L) * 60);
    for (minute = minute.plus(MINUTE); !minute.isAfter(upTo); minute = minute.plus(MINUTE)) {
      if (firesAt(minute)) {
        found.add(minute);
      }
    }
    return found;
  }

  /** Returns whether this is the first instant after now. */
  boolean isNext(Instant anchor, Instant now, Instant next) {
    return Duration.between(now, next).compareTo(LONGEST) <= 0
        && between(anchor, now, next).equals(List.of(next));
  }

  private boolean firesAt(Instant minute) {
    ZoneOffset offset = rules.getOffset(minute);
    LocalDateTime local = LocalDateTime.ofEpochSecond(minute.getEpochSecond(), 0, offset);
    ZoneOffset before = rules.getOffset(minute.minusSeconds(1));
    if (hours == null) {
      return matches(local);
    }
    LocalDateTime expected = LocalDateTime.ofEpochSecond(minute.getEpochSecond(), 0, before);
    for (LocalDateTime skipped = expected; skipped.isBefore(local); ) {
      if (matches(skipped)) {
        return true;
      }
      skipped = skipped.plus(MINUTE);
    }
    List<ZoneOffset> shown = rules.getValidOffsets(local);
    return matches(local) && shown.getFirst().equals(offset);
  }

  private boolean matches(LocalDateTime local) {
    return minutes.contains(local.getMinute())
        && (hours == null || hours.contains(local.getHour()));
  }

  /** Returns whether the clock is put forward at this instant. */
  boolean isEndOfGap(Instant at) {
    return rules.getOffset(at).getTotalSeconds()
        > rules.getOffset(at.minusSeconds(1)).getTotalSeconds();
  }
}
