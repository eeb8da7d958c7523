// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench;

import java.util.concurrent.Callable;

/** The baseline: a retry loop written by hand, without a library. */
final class HandWrittenLoop implements SyncContender {

  private static final int MAX_RETRIES = 3;

  private final Operation operation;
  private final ThreeLambdas<Callable<String>> lambdas;

  HandWrittenLoop(Operation operation) {
    this.operation = operation;
    this.lambdas = new ThreeLambdas<>(operation::run, operation::run, operation::run);
  }

  @Override
  public String call() throws Exception {
    return call(operation::run);
  }

  @Override
  public String callMegamorphic(int turn) throws Exception {
    return call(lambdas.at(turn));
  }

  private static String call(Callable<String> call) throws Exception {
    for (int retry = 0; ; retry++) {
      try {
        return call.call();
      } catch (Exception e) {
        if (retry == MAX_RETRIES) {
          throw e;
        }
      }
    }
  }
}
