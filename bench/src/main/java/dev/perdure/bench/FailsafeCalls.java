// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.RetryPolicy;
import dev.failsafe.function.CheckedSupplier;

/** Failsafe; its policy has no delay unless one is named. */
final class FailsafeCalls implements Contender {

  private final FailsafeExecutor<String> failsafe =
      Failsafe.with(
          RetryPolicy.<String>builder().handle(Exception.class).withMaxRetries(3).build());
  private final Operation operation;
  private final ThreeWays<CheckedSupplier<String>> ways;

  FailsafeCalls(Operation operation) {
    this.operation = operation;
    this.ways = new ThreeWays<>(operation::run, operation::run, operation::run);
  }

  @Override
  public String call() {
    return failsafe.get(() -> operation.run());
  }

  @Override
  public String callOneOfThree(int turn) {
    return failsafe.get(ways.at(turn));
  }
}
