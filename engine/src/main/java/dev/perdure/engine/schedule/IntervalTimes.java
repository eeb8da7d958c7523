// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The instants anchor + k × interval for k = 1, 2, 3 and so on, in epoch milliseconds. */
record IntervalTimes(long anchor, long interval) implements FiringTimes {

  @Override
  public Instant next(Instant after) {
    return firing(Math.max(0, intervalsUntil(after)) + 1);
  }

  @Override
  public Optional<Instant> previousOrSame(Instant at) {
    long count = intervalsUntil(at);
    return count < 1 ? Optional.empty() : Optional.of(firing(count));
  }

  @Override
  public List<ClockChange> clockChanges(Instant after, Instant until) {
    return List.of(); // It counts elapsed time.
  }

  private long intervalsUntil(Instant instant) {
    return Math.floorDiv(instant.toEpochMilli() - anchor, interval);
  }

  private Instant firing(long count) {
    return Instant.ofEpochMilli(anchor + count * interval);
  }
}
