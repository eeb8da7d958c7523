// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How many waiting retries become due in each bucket of a window. Retries that are paused are not
 * counted: they keep their due times but do not start.
 *
 * @param now the database's time when they were counted
 * @param from the start of the first bucket, which {@code now} is in
 * @param step the length of a bucket
 * @param overdue retries that are due at {@code now}; the first bucket does not include them
 * @param later retries that become due after the last bucket
 * @param estimated whether some numbers are estimated, because there are too many retries
 * @param counts the retries of each bucket
 * @param byKind the same for each of the {@value #MAX_KINDS} largest kinds, the largest first, and
 *     for all others together if there are any; empty unless asked for
 */
public record RetryWave(
    Instant now,
    Instant from,
    Duration step,
    long overdue,
    long later,
    boolean estimated,
    List<Long> counts,
    List<KindCounts> byKind) {

  /** At most this many kinds are counted separately. */
  public static final int MAX_KINDS = 5;

  /** The kind of {@link KindCounts} that stands for all other kinds. */
  public static final String OTHER_KINDS = "";

  public RetryWave {
    counts = List.copyOf(counts);
    byKind = List.copyOf(byKind);
  }

  /** The retries of one kind in each bucket. */
  public record KindCounts(String kind, List<Long> counts) {
    public KindCounts {
      counts = List.copyOf(counts);
    }
  }

  /** The bucket that starts at this instant, with its retries. */
  public record Peak(Instant at, long count) {}

  /** The first of the buckets with the most retries; empty if no bucket has any. */
  public Optional<Peak> peak() {
    int highest = 0;
    for (int i = 1; i < counts.size(); i++) {
      if (counts.get(i) > counts.get(highest)) {
        highest = i;
      }
    }
    long count = counts.get(highest);
    return count == 0
        ? Optional.empty()
        : Optional.of(new Peak(from.plus(step.multipliedBy(highest)), count));
  }
}
