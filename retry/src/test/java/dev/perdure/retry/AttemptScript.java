// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A random policy and the outcomes of its attempts, generated from a seed. */
record AttemptScript(RetryPolicy policy, List<Outcome> outcomes) {

  /** How one attempt ends: with a failure, a result to reject, or a success. */
  record Outcome(@Nullable Throwable thrown, String result, Duration takes) {}

  static final String REJECTED = "rejected";
  private static final int MAX_ATTEMPTS = 12;

  static AttemptScript of(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
      outcomes.add(outcome(random, i));
    }
    return new AttemptScript(policy(random), outcomes);
  }

  /** Returns the outcome of an attempt; the last one repeats. */
  Outcome outcome(long attempt) {
    return outcomes.get((int) Math.min(attempt, outcomes.size() - 1));
  }

  static @Nullable Failure classify(@Nullable Object result) {
    return REJECTED.equals(result) ? Failure.http(503).withRetryAfter(ofMillis(700)) : null;
  }

  private static Outcome outcome(SplittableRandom random, int attempt) {
    Duration takes = ofMillis(random.nextInt(3) * 100L);
    String message = "attempt " + attempt;
    return switch (random.nextInt(8)) {
      case 0 -> new Outcome(null, "done", takes);
      case 1, 2 -> new Outcome(null, REJECTED, takes);
      case 3 -> new Outcome(new UncheckedIOException(message, new IOException()), "", takes);
      case 4 -> new Outcome(new TimeoutException(message), "", takes);
      case 5 -> new Outcome(new IllegalStateException(message), "", takes);
      default -> new Outcome(new IOException(message), "", takes);
    };
  }

  private static RetryPolicy policy(SplittableRandom random) {
    var builder =
        RetryPolicy.exponential(ofMillis(1 + random.nextInt(500)))
            .multiplier(1 + random.nextDouble() * 2)
            .maxDelay(ofSeconds(1 + random.nextInt(20)))
            .maxRetries(random.nextInt(MAX_ATTEMPTS));
    switch (random.nextInt(5)) {
      case 0 -> builder.jitter(Jitter.decorrelated());
      case 1 -> builder.jitter(Jitter.full());
      case 2 -> builder.jitter(Jitter.none());
      case 3 -> builder.expiresAfter(ofSeconds(1 + random.nextInt(30)));
      default -> builder.jitter(Jitter.spread(0.5));
    }
    if (random.nextBoolean()) {
      builder.neverOn(FailureMatcher.exception(IllegalStateException.class));
    }
    if (random.nextBoolean()) {
      builder.override(PolicyOverride.on(FailureMatcher.status(503)).withMaxRetries(2));
    }
    return builder.build();
  }
}
