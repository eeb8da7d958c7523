// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.RollupStep;
import java.time.Duration;
import java.time.Instant;

/** How far back a series goes, and in which steps. */
enum SeriesWindow {
  M15("15m", Duration.ofMinutes(1), 15, RollupStep.MINUTE, Duration.ofSeconds(5)),
  H1("1h", Duration.ofMinutes(1), 60, RollupStep.MINUTE, Duration.ofSeconds(5)),
  H24("24h", Duration.ofMinutes(10), 144, RollupStep.TEN_MINUTES, Duration.ofSeconds(30)),
  D14("14d", Duration.ofHours(1), 336, RollupStep.HOUR, Duration.ofMinutes(2)),
  D90("90d", Duration.ofHours(6), 360, RollupStep.HOUR, Duration.ofMinutes(10));

  private final String text;
  private final Duration step;
  private final int buckets;
  private final RollupStep rollups;
  private final Duration keptFor;

  SeriesWindow(String text, Duration step, int buckets, RollupStep rollups, Duration keptFor) {
    this.text = text;
    this.step = step;
    this.buckets = buckets;
    this.rollups = rollups;
    this.keptFor = keptFor;
  }

  String text() {
    return text;
  }

  Duration step() {
    return step;
  }

  int buckets() {
    return buckets;
  }

  /** The rollups that a series is made of. */
  RollupStep rollups() {
    return rollups;
  }

  /** How long an answer is kept. */
  Duration keptFor() {
    return keptFor;
  }

  /** The start of the first bucket; the last one is that of the given time. */
  Instant from(Instant now) {
    return RollupStep.startOf(now, step).minus(step.multipliedBy(buckets - 1L));
  }
}
