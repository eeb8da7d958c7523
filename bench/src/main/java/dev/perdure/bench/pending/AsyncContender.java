// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.pending;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A library that retries an asynchronous call after a fixed delay, without jitter. */
interface AsyncContender {

  CompletionStage<String> start(FailOnce call);

  /** Creates a contender. Classes of the other contenders are not loaded. */
  static AsyncContender of(String name, Duration delay) {
    return switch (name) {
      case "perdure" -> new PerdureAsync(delay);
      case "failsafe" -> new FailsafeAsync(delay);
      case "resilience4j" -> new Resilience4jAsync(delay);
      default -> throw new IllegalArgumentException("Unknown contender: " + name);
    };
  }
}
