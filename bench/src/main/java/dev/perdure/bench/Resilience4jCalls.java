// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.concurrent.Callable;

/** Resilience4j. It counts attempts instead of retries, and waits 500 ms by default. */
final class Resilience4jCalls implements SyncContender {

  private final Retry retry =
      Retry.of("bench", RetryConfig.custom().maxAttempts(4).waitDuration(Duration.ZERO).build());
  private final Operation operation;
  private final ThreeLambdas<Callable<String>> lambdas;

  Resilience4jCalls(Operation operation) {
    this.operation = operation;
    this.lambdas = new ThreeLambdas<>(operation::run, operation::run, operation::run);
  }

  @Override
  public String call() throws Exception {
    return retry.executeCallable(() -> operation.run());
  }

  @Override
  public String callMegamorphic(int turn) throws Exception {
    return retry.executeCallable(lambdas.at(turn));
  }
}
