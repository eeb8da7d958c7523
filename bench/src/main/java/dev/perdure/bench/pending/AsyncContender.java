// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.pending;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A way to retry an asynchronous call once, after a fixed delay without jitter. */
interface AsyncContender {

  CompletionStage<String> start(FailOnce call);

  /** Loads the classes of this contender and of no other. */
  static AsyncContender of(String name, Duration delay) {
    return switch (name) {
      case "perdure" -> new PerdureAsync(delay);
      case "failsafe" -> new FailsafeAsync(delay);
      case "resilience4j" -> new Resilience4jAsync(delay);
      default -> throw new IllegalArgumentException("no contender is called " + name);
    };
  }
}
