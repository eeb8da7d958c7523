// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench;

import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.Retry;
import dev.perdure.retry.ThrowingCall;

/** Ours. */
final class PerdureCalls implements Contender {

  private final Retry retry =
      Retry.of(RetryPolicy.immediate().jitter(Jitter.none()).maxRetries(3).build());
  private final Operation operation;
  private final ThreeWays<ThrowingCall<String, Exception>> ways;

  PerdureCalls(Operation operation) {
    this.operation = operation;
    this.ways = new ThreeWays<>(operation::run, operation::run, operation::run);
  }

  @Override
  public String call() throws Exception {
    return retry.call(() -> operation.run());
  }

  @Override
  public String callOneOfThree(int turn) throws Exception {
    return retry.call(ways.at(turn));
  }
}
