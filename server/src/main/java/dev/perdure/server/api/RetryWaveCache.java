// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.RetryWave;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.query.RetryWindow;
import dev.perdure.server.http.HttpProblemException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps retry waves for a while, so that many watchers cost no more than one. One wave is counted
 * at a time; a request for another one waits. Thread-safe.
 */
final class RetryWaveCache {

  /** The most waves that are kept. Each is a few kilobytes. */
  static final int MAX_KEPT = 100;

  private final Function<RetryWaveQuery, RetryWave> counter;
  private final InstantSource clock;
  private final Duration maxWait;
  private final ReentrantLock counting = new ReentrantLock();
  private final Map<RetryWaveQuery, KeptWave> kept = new ConcurrentHashMap<>();

  /**
   * @param maxWait how long a request waits while another wave is counted
   */
  RetryWaveCache(
      Function<RetryWaveQuery, RetryWave> counter, InstantSource clock, Duration maxWait) {
    this.counter = counter;
    this.clock = clock;
    this.maxWait = maxWait;
  }

  /** A wave and the time for which it is kept. */
  private record KeptWave(RetryWave wave, Instant from, Instant until) {

    /** Whether it can still be used. False after the clock was set back. */
    boolean isFresh(Instant now) {
      return !now.isBefore(from) && now.isBefore(until);
    }
  }

  /** The wave that is kept, or a new one. */
  RetryWave get(RetryWaveQuery query) {
    RetryWave fresh = fresh(query);
    return fresh == null ? countOrWait(query) : fresh;
  }

  private @Nullable RetryWave fresh(RetryWaveQuery query) {
    KeptWave found = kept.get(query);
    return found != null && found.isFresh(clock.instant()) ? found.wave() : null;
  }

  private RetryWave countOrWait(RetryWaveQuery query) {
    if (!startCounting()) {
      throw HttpProblemException.unavailable(
          "other retries are being counted, and only one count runs at a time");
    }
    try {
      // Another request may have counted the same wave meanwhile.
      RetryWave fresh = fresh(query);
      return fresh == null ? count(query) : fresh;
    } finally {
      counting.unlock();
    }
  }

  private boolean startCounting() {
    try {
      return counting.tryLock(maxWait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private RetryWave count(RetryWaveQuery query) {
    RetryWave wave = counter.apply(query);
    Instant now = clock.instant();
    kept.values().removeIf(old -> !old.isFresh(now));
    if (kept.size() >= MAX_KEPT) {
      kept.entrySet().stream()
          .min(Comparator.comparing(entry -> entry.getValue().until()))
          .ifPresent(oldest -> kept.remove(oldest.getKey()));
    }
    kept.put(query, new KeptWave(wave, now, now.plus(keepFor(query.window()))));
    return wave;
  }

  private static Duration keepFor(RetryWindow window) {
    return switch (window) {
      case MINUTE -> Duration.ofSeconds(1);
      case HOUR -> Duration.ofSeconds(15);
      case DAY -> Duration.ofMinutes(2);
      case FORTNIGHT -> Duration.ofMinutes(10);
    };
  }
}
