// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Start and end times of the attempts of a call that always fails. Not thread-safe. */
final class AttemptLog {

  private final List<Long> begun = new ArrayList<>();
  private final List<Long> ended = new ArrayList<>();

  private AttemptLog() {}

  static AttemptLog ofFailing(Library library, RetrySettings settings) {
    AttemptLog log = new AttemptLog();
    try {
      library.call(settings, log::fail);
    } catch (Exception expected) {
      // Other cases check which exception the caller gets.
      return log;
    }
    throw new IllegalStateException("A call that always fails returned a value");
  }

  private String fail() throws IOException {
    begun.add(System.nanoTime());
    IOException failure = new IOException("attempt " + begun.size());
    ended.add(System.nanoTime());
    throw failure;
  }

  int attempts() {
    return begun.size();
  }

  /**
   * The shortest time between the end of an attempt and the start of the next. A slow machine can
   * only make it longer.
   */
  Duration shortestWait() {
    long shortest = Long.MAX_VALUE;
    for (int i = 1; i < begun.size(); i++) {
      shortest = Math.min(shortest, begun.get(i) - ended.get(i - 1));
    }
    return Duration.ofNanos(shortest);
  }
}
