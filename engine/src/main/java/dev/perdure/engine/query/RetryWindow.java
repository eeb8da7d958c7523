// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.time.Duration;
import java.time.Instant;

/** How far a {@link RetryWave} looks ahead, and in which steps. */
public enum RetryWindow {
  /** 60 seconds. */
  MINUTE(Duration.ofSeconds(1), 60),
  /** 60 minutes. */
  HOUR(Duration.ofMinutes(1), 60),
  /** 96 quarters of an hour. */
  DAY(Duration.ofMinutes(15), 96),
  /** 56 quarters of a day. */
  FORTNIGHT(Duration.ofHours(6), 56);

  private final Duration step;
  private final int buckets;

  RetryWindow(Duration step, int buckets) {
    this.step = step;
    this.buckets = buckets;
  }

  /** The length of a bucket. */
  public Duration step() {
    return step;
  }

  public int buckets() {
    return buckets;
  }

  /** The start of the bucket that the instant is in. Buckets start at whole steps in UTC. */
  public Instant startOfBucket(Instant instant) {
    long millis = instant.toEpochMilli();
    return Instant.ofEpochMilli(millis - Math.floorMod(millis, step.toMillis()));
  }
}
