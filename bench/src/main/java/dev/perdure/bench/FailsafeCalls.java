// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.RetryPolicy;
import dev.failsafe.function.CheckedSupplier;

/** Failsafe. Its policy has no delay by default. */
final class FailsafeCalls implements SyncContender {

  private final FailsafeExecutor<String> failsafe =
      Failsafe.with(
          RetryPolicy.<String>builder().handle(Exception.class).withMaxRetries(3).build());
  private final Operation operation;
  private final ThreeLambdas<CheckedSupplier<String>> lambdas;

  FailsafeCalls(Operation operation) {
    this.operation = operation;
    this.lambdas = new ThreeLambdas<>(operation::run, operation::run, operation::run);
  }

  @Override
  public String call() {
    return failsafe.get(() -> operation.run());
  }

  @Override
  public String callMegamorphic(int turn) {
    return failsafe.get(lambdas.at(turn));
  }
}
