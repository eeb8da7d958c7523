// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.pending;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** Resilience4j. The caller must pass a scheduler; this one has a single thread. */
final class Resilience4jAsync implements AsyncContender {

  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("scheduler").factory());
  private final Retry retry;

  Resilience4jAsync(Duration delay) {
    this.retry = Retry.of("bench", RetryConfig.custom().maxAttempts(4).waitDuration(delay).build());
  }

  @Override
  public CompletionStage<String> start(FailOnce call) {
    return retry.executeCompletionStage(scheduler, call);
  }
}
