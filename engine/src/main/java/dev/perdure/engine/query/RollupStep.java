// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.time.Duration;
import java.time.Instant;

/** The length of the time that one {@link Rollup} covers. */
public enum RollupStep {
  MINUTE(Duration.ofMinutes(1), Duration.ofHours(3)),
  TEN_MINUTES(Duration.ofMinutes(10), Duration.ofHours(48)),
  HOUR(Duration.ofHours(1), Duration.ofDays(90));

  private final Duration length;
  private final Duration retention;

  RollupStep(Duration length, Duration retention) {
    this.length = length;
    this.retention = retention;
  }

  public Duration length() {
    return length;
  }

  /** How long rollups of this length are kept. */
  public Duration retention() {
    return retention;
  }

  /** The start of the rollup that the instant is in. Rollups start at whole steps in UTC. */
  public Instant startOf(Instant instant) {
    return startOf(instant, length);
  }

  /** The last instant, not after the given one, that is a whole number of lengths in UTC. */
  public static Instant startOf(Instant instant, Duration length) {
    long millis = instant.toEpochMilli();
    return Instant.ofEpochMilli(millis - Math.floorMod(millis, length.toMillis()));
  }
}
