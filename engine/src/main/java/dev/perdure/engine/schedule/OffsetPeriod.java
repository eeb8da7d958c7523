// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.Instant;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/**
 * A period in which a zone keeps its offset from UTC. All values are seconds.
 *
 * @param start the first epoch second, or {@link #FAR_PAST}
 * @param end the first epoch second after it, or {@link #FAR_FUTURE}
 * @param offset what is added to an epoch second to get the local one
 * @param offsetBefore the offset before the start
 */
record OffsetPeriod(long start, long end, int offset, int offsetBefore) {

  /** Far from an overflow. */
  static final long FAR_FUTURE = Long.MAX_VALUE / 4;

  static final long FAR_PAST = -FAR_FUTURE;

  /** The period that contains this second. */
  static OffsetPeriod at(ZoneRules rules, long second) {
    Instant instant = Instant.ofEpochSecond(second);
    int offset = rules.getOffset(instant).getTotalSeconds();
    // A period contains the second of the transition that starts it.
    ZoneOffsetTransition start = rules.previousTransition(instant.plusNanos(1));
    ZoneOffsetTransition end = rules.nextTransition(instant);
    return new OffsetPeriod(
        start == null ? FAR_PAST : start.toEpochSecond(),
        end == null ? FAR_FUTURE : end.toEpochSecond(),
        offset,
        start == null ? offset : start.getOffsetBefore().getTotalSeconds());
  }

  long localStart() {
    return start + offset;
  }

  long localEnd() {
    return end + offset;
  }

  /**
   * The local second at which the period before ended. If it is before {@link #localStart}, what is
   * between them was skipped; if it is after it, what is between them happens again.
   */
  long localEndBefore() {
    return start + offsetBefore;
  }
}
