// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Limits the wrong keys that an address may try within a minute. An attempt counts as wrong until
 * it turns out to be right, so attempts at the same time cannot exceed the limit. Thread-safe.
 */
public final class LoginLimiter {

  private static final int MAX_WRONG_KEYS = 10;
  private static final Duration WINDOW = Duration.ofMinutes(1);

  /** Beyond it, the addresses whose minute began first are forgotten. */
  private static final int MAX_ADDRESSES = 1_000;

  private final Supplier<Duration> clock;
  private final Map<String, Window> windows = new LinkedHashMap<>();

  /** The attempts of an address in the minute after the first one. */
  private static final class Window {
    private final Duration endsAt;
    private int attempts;

    Window(Duration endsAt) {
      this.endsAt = endsAt;
    }
  }

  /**
   * @param clock a monotonic clock
   */
  public LoginLimiter(Supplier<Duration> clock) {
    this.clock = clock;
  }

  /** Counts an attempt; returns how long the address must wait if it may not try now. */
  public synchronized Optional<Duration> tryAttempt(String address) {
    Duration now = clock.get();
    windows.values().removeIf(window -> window.endsAt.compareTo(now) <= 0);
    Window window = windows.computeIfAbsent(address, added -> new Window(now.plus(WINDOW)));
    if (windows.size() > MAX_ADDRESSES) {
      windows.remove(windows.keySet().iterator().next());
    }
    if (window.attempts >= MAX_WRONG_KEYS) {
      return Optional.of(window.endsAt.minus(now));
    }
    window.attempts++;
    return Optional.empty();
  }

  /** Takes back an attempt, because its key was not wrong. */
  public synchronized void forgive(String address) {
    Window window = windows.get(address);
    if (window != null && window.attempts > 0) {
      window.attempts--;
    }
  }
}
