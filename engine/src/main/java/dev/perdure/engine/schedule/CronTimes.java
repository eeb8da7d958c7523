// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The instants at which the local time in a zone matches a cron expression. It searches one period
 * of constant offset after another; {@link Trigger} describes what happens where two of them meet.
 */
final class CronTimes implements FiringTimes {

  /**
   * No expression waits longer for a match. The longest wait is 40 years, for a 29th of February on
   * a certain weekday around a year such as 2100.
   */
  private static final long LONGEST_WAIT = Duration.ofDays(41 * 366).toSeconds();

  private final CronCalendar calendar;
  private final ZoneId zone;
  private final ZoneRules rules;
  private final Instant anchor;

  /** Whether times that the clock shows a second time fire again. */
  private final boolean repeats;

  /** Whether skipped times fire at the end of the gap. */
  private final boolean makesUp;

  private CronTimes(
      CronCalendar calendar, ZoneId zone, Instant anchor, boolean repeats, boolean makesUp) {
    this.calendar = calendar;
    this.zone = zone;
    this.rules = zone.getRules();
    this.anchor = anchor;
    this.repeats = repeats;
    this.makesUp = makesUp;
  }

  static CronTimes of(CronExpression cron, ZoneId zone, Instant anchor) {
    boolean star = cron.hours().star();
    boolean everyHour = star && cron.hours().all();
    return new CronTimes(new CronCalendar(cron), zone, anchor, star, !everyHour);
  }

  @Override
  public Instant next(Instant after) {
    long from = (after.isBefore(anchor) ? anchor : after).getEpochSecond() + 1;
    long last = from + LONGEST_WAIT;
    while (from < last) {
      OffsetPeriod period = OffsetPeriod.at(rules, from);
      long found = firstIn(period, from);
      if (found != CronCalendar.NONE) {
        return Instant.ofEpochSecond(found);
      }
      from = period.end();
    }
    throw new IllegalStateException("no firing found after " + after);
  }

  /** The first firing of this period that is not before {@code from}, or NONE. */
  private long firstIn(OffsetPeriod period, long from) {
    if (from <= period.start() && skipsFiring(period)) {
      return period.start();
    }
    long local = from + period.offset();
    long lowest = repeats ? local : Math.max(local, period.localEndBefore());
    long limit = Math.min(period.localEnd(), local + LONGEST_WAIT);
    return second(calendar.nextOrSame(minuteFrom(lowest), minuteFrom(limit)), period);
  }

  @Override
  public Optional<Instant> previousOrSame(Instant at) {
    long first = anchor.getEpochSecond() + 1;
    long last = at.getEpochSecond();
    while (last >= first) {
      OffsetPeriod period = OffsetPeriod.at(rules, last);
      long found = lastIn(period, last);
      if (found != CronCalendar.NONE) {
        return found < first ? Optional.empty() : Optional.of(Instant.ofEpochSecond(found));
      }
      last = period.start() - 1;
    }
    return Optional.empty();
  }

  /** The last firing of this period that is not after {@code last}, or NONE. */
  private long lastIn(OffsetPeriod period, long last) {
    long local = last + period.offset();
    long start = period.localStart();
    long lowest = repeats ? start : Math.max(start, period.localEndBefore());
    long limit = Math.max(lowest, local - LONGEST_WAIT);
    long minute = calendar.previousOrSame(Math.floorDiv(local, 60), minuteFrom(limit));
    if (minute != CronCalendar.NONE) {
      return second(minute, period);
    }
    return skipsFiring(period) ? period.start() : CronCalendar.NONE;
  }

  /** Returns true if the clock skipped a firing when the period began, which is to be made up. */
  private boolean skipsFiring(OffsetPeriod period) {
    long from = minuteFrom(period.localEndBefore());
    long limit = minuteFrom(period.localStart());
    return makesUp && from < limit && calendar.nextOrSame(from, limit) != CronCalendar.NONE;
  }

  @Override
  public List<ClockChange> clockChanges(Instant after, Instant until) {
    List<ClockChange> changes = new ArrayList<>();
    long last = until.getEpochSecond();
    OffsetPeriod period = OffsetPeriod.at(rules, after.getEpochSecond());
    while (period.end() <= last) {
      period = OffsetPeriod.at(rules, period.end());
      clockChange(period).ifPresent(changes::add);
    }
    return changes;
  }

  /** What the beginning of this period does to one of the times. */
  private Optional<ClockChange> clockChange(OffsetPeriod period) {
    long before = minuteFrom(period.localEndBefore());
    long after = minuteFrom(period.localStart());
    long skipped = makesUp ? calendar.nextOrSame(before, after) : CronCalendar.NONE;
    long repeated = repeats ? CronCalendar.NONE : calendar.nextOrSame(after, before);
    if (before < after && skipped != CronCalendar.NONE) {
      return Optional.of(change(skipped, false, period.start()));
    }
    return after < before && repeated != CronCalendar.NONE
        ? Optional.of(change(repeated, true, repeated * 60 - period.offsetBefore()))
        : Optional.empty();
  }

  private ClockChange change(long localMinute, boolean exists, long firesAt) {
    return new ClockChange(
        LocalDateTime.ofEpochSecond(localMinute * 60, 0, ZoneOffset.UTC),
        zone,
        exists,
        Instant.ofEpochSecond(firesAt));
  }

  /** The first whole minute that does not begin before this second. */
  private static long minuteFrom(long second) {
    return Math.ceilDiv(second, 60L);
  }

  private static long second(long localMinute, OffsetPeriod period) {
    return localMinute == CronCalendar.NONE ? localMinute : localMinute * 60 - period.offset();
  }
}
