// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One firing of a schedule.
 *
 * @param scheduledFor the instant that the trigger gave, or when it was triggered by hand
 * @param manual whether it was triggered by hand
 * @param firedAt when it was decided, by the database's clock
 * @param batch the batch that was submitted; null if it did not fire
 * @param missed how many earlier firings, missed while no node was running, it stands for
 */
public record Firing(
    Instant scheduledFor,
    boolean manual,
    Instant firedAt,
    Outcome outcome,
    @Nullable UUID batch,
    long missed) {

  /** The same firing, without tasks. */
  public Firing skipped() {
    return new Firing(scheduledFor, manual, firedAt, Outcome.SKIPPED, null, missed);
  }

  /** The same firing that stands for this many earlier ones. */
  public Firing withMissed(long value) {
    return new Firing(scheduledFor, manual, firedAt, outcome, batch, value);
  }

  /** What came of a firing. */
  public enum Outcome {
    /** Tasks were submitted. */
    FIRED,
    /** The schedule was busy, or live tasks had the dedupe keys of all its tasks. */
    SKIPPED,
    /** It was missed while no node was running, and the schedule does not catch up. */
    MISSED,
    /** It waits until the schedule is no longer busy. */
    QUEUED;

    /** The name in the database and in JSON. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The outcome with this {@link #text}. */
    public static Optional<Outcome> of(String text) {
      return Arrays.stream(values()).filter(value -> value.text().equals(text)).findFirst();
    }
  }
}
