// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** When the attempts of a call that always fails began and ended. Used by one thread. */
final class AttemptLog {

  private final List<Long> begun = new ArrayList<>();
  private final List<Long> ended = new ArrayList<>();

  private AttemptLog() {}

  static AttemptLog ofFailing(Library library, RetrySettings settings) {
    AttemptLog log = new AttemptLog();
    try {
      library.call(settings, log::fail);
    } catch (Exception expected) {
      // How it ends is the question of other cases.
      return log;
    }
    throw new IllegalStateException("a call that always fails went well");
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

  /** From the end of an attempt to the beginning of the next; a slow machine only lengthens it. */
  Duration shortestWait() {
    long shortest = Long.MAX_VALUE;
    for (int i = 1; i < begun.size(); i++) {
      shortest = Math.min(shortest, begun.get(i) - ended.get(i - 1));
    }
    return Duration.ofNanos(shortest);
  }
}
