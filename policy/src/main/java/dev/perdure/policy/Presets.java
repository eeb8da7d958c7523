// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.FailureMatcher.clientErrors;
import static dev.perdure.policy.FailureMatcher.exception;
import static dev.perdure.policy.FailureMatcher.serverErrors;
import static dev.perdure.policy.FailureMatcher.status;
import static dev.perdure.policy.FailureMatcher.timeout;
import static java.time.Duration.ofSeconds;

import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** The built-in policies for common uses. */
final class Presets {

  static final RetryPolicy HTTP =
      RetryPolicy.exponential(ofSeconds(2))
          .maxRetries(4)
          .jitter(Jitter.spread(0.25))
          .retryAfterCap(ofSeconds(60))
          .retryOn(
              status(408), status(429), serverErrors(), exception(IOException.class), timeout())
          .neverOn(clientErrors())
          .override(
              PolicyOverride.on(status(429)).withBackoff(Backoff.exponential(ofSeconds(3), 3)))
          .override(PolicyOverride.on(status(502)).withMaxRetries(2))
          .override(PolicyOverride.on(status(503), status(504)))
          .override(PolicyOverride.on(serverErrors()).withMaxRetries(1))
          .build();

  static final RetryPolicy QUEUE = queue(RetryLimit.DEFAULT);

  static final RetryPolicy TRANSIENT =
      RetryPolicy.exponential(ofSeconds(1))
          .maxRetries(2)
          .maxDelay(ofSeconds(30))
          .jitter(Jitter.add(0.5))
          .retryOn(exception(IOException.class), exception(TimeoutException.class), timeout())
          .neverOn(
              exception(IllegalArgumentException.class),
              exception(IllegalStateException.class),
              exception(SecurityException.class))
          .build();

  private Presets() {}

  static RetryPolicy queue(RetryLimit limit) {
    if (limit.equals(RetryLimit.none())) {
      return RetryPolicy.none();
    }
    var builder =
        RetryPolicy.exponential(ofSeconds(1)).maxDelay(ofSeconds(60)).jitter(Jitter.spread(0.25));
    return limit.unlimited()
        ? builder.unlimitedRetries().build()
        : builder.maxRetries(limit.retries()).build();
  }
}
