// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench;

import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.Retry;
import dev.perdure.retry.ThrowingCall;

/** Perdure. */
final class PerdureCalls implements SyncContender {

  private final Retry retry =
      Retry.of(RetryPolicy.immediate().jitter(Jitter.none()).maxRetries(3).build());
  private final Operation operation;
  private final ThreeLambdas<ThrowingCall<String, Exception>> lambdas;

  PerdureCalls(Operation operation) {
    this.operation = operation;
    this.lambdas = new ThreeLambdas<>(operation::run, operation::run, operation::run);
  }

  @Override
  public String call() throws Exception {
    return retry.call(() -> operation.run());
  }

  @Override
  public String callMegamorphic(int turn) throws Exception {
    return retry.call(lambdas.at(turn));
  }
}
