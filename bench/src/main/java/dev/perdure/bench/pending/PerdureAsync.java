// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.pending;

import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.Retry;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Perdure with its own timer and the common pool. */
final class PerdureAsync implements AsyncContender {

  private final Retry retry;

  PerdureAsync(Duration delay) {
    this.retry = Retry.of(RetryPolicy.fixed(delay).jitter(Jitter.none()).maxRetries(3).build());
  }

  @Override
  public CompletionStage<String> start(FailOnce call) {
    return retry.callAsync(call);
  }
}
