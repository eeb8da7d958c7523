// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that moves only when the test moves it. Thread-safe. */
public final class FakeClock implements InstantSource {

  /** The default start. */
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

  /** Moves the clock forward and returns the new instant. */
  public Instant advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException(
          "cannot advance by " + by + "; use set(…) to move the clock back");
    }
    return now.updateAndGet(instant -> instant.plus(by));
  }

  /** Sets the clock to any instant, also an earlier one. */
  public void set(Instant instant) {
    now.set(instant);
  }
}
