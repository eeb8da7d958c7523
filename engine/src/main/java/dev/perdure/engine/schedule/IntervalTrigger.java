// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.DurationWords;
import java.time.Duration;
import java.time.Instant;

/** Fires every so often, by elapsed time. */
record IntervalTrigger(Duration interval) implements Trigger {

  private static final int NANOS_PER_MILLI = 1_000_000;

  IntervalTrigger {
    if (interval.compareTo(MIN_INTERVAL) < 0 || interval.compareTo(MAX_INTERVAL) > 0) {
      throw new IllegalArgumentException(
          "every: must be %s to %s, not %s"
              .formatted(
                  DurationText.format(MIN_INTERVAL),
                  DurationText.format(MAX_INTERVAL),
                  DurationText.format(interval)));
    }
    if (interval.toNanosPart() % NANOS_PER_MILLI != 0) {
      throw new IllegalArgumentException("every: must be whole milliseconds, not " + interval);
    }
  }

  @Override
  public FiringTimes firingTimes(Instant anchor) {
    return new IntervalTimes(anchor.toEpochMilli(), interval.toMillis());
  }

  @Override
  public String describe() {
    return DurationWords.every(interval);
  }

  @Override
  public String toString() {
    return TriggerJson.write(this).toString();
  }
}
