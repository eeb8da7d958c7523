// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The instants at which a schedule fires. They follow from its trigger and its anchor alone, never
 * from earlier runs. They have no end.
 */
public sealed interface FiringTimes permits CronTimes, IntervalTimes {

  /** The first instant strictly after this one, and after the anchor. */
  Instant next(Instant after);

  /** The last instant that is not after this one; empty if the first one is still to come. */
  Optional<Instant> previousOrSame(Instant at);

  /** The next instants, in order. */
  default List<Instant> next(Instant after, int count) {
    return Stream.iterate(next(after), this::next).limit(count).toList();
  }

  /**
   * The next days on which the clock changes and one of the local times does not exist, or fires
   * only once although it happens twice.
   *
   * @param until the last instant to look at
   */
  List<ClockChange> clockChanges(Instant after, Instant until);

  /**
   * What is due, at the same cost for one missed firing and for a million.
   *
   * @param planned the firing that the schedule waits for
   * @return empty if {@code planned} is still to come
   */
  default Optional<DueFirings> due(Instant planned, Instant now) {
    if (planned.isAfter(now)) {
      return Optional.empty();
    }
    Instant latest = previousOrSame(now).filter(planned::isBefore).orElse(planned);
    return Optional.of(new DueFirings(planned, latest));
  }
}
