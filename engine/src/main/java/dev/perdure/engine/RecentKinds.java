// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Remembers for a minute which kinds remote workers asked for. */
final class RecentKinds {

  private static final Duration MAX_AGE = Duration.ofMinutes(1);
  private static final int MAX_KINDS = 200;

  private final EngineEnvironment.MonotonicClock monotonic;
  private final Map<String, Duration> askedAt = new ConcurrentHashMap<>();

  RecentKinds(EngineEnvironment.MonotonicClock monotonic) {
    this.monotonic = monotonic;
  }

  void add(List<String> kinds) {
    Duration now = monotonic.now();
    for (String kind : kinds) {
      if (askedAt.size() < MAX_KINDS || askedAt.containsKey(kind)) {
        askedAt.put(kind, now);
      }
    }
  }

  List<String> all() {
    Duration oldest = monotonic.now().minus(MAX_AGE);
    askedAt.values().removeIf(at -> at.compareTo(oldest) < 0);
    return askedAt.keySet().stream().sorted(Comparator.naturalOrder()).toList();
  }
}
