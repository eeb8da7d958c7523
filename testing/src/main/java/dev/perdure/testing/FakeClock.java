// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that only moves when it is told to. Safe to share. */
public final class FakeClock implements InstantSource {

  /** Where a clock starts unless told otherwise. */
  public static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  private final AtomicReference<Instant> now;

  public FakeClock() {
    this(START);
  }

  public FakeClock(Instant start) {
    now = new AtomicReference<>(start);
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  /** Moves forward, and tells the new instant. */
  public Instant advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("time goes forward, not by " + by + "; use set(…)");
    }
    return now.updateAndGet(instant -> instant.plus(by));
  }

  /** Jumps, also backwards. */
  public void set(Instant instant) {
    now.set(instant);
  }
}
