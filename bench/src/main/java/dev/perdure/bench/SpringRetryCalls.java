// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench;

import org.springframework.retry.RetryCallback;
import org.springframework.retry.support.RetryTemplate;

/** Spring Retry. It counts attempts instead of retries. */
final class SpringRetryCalls implements SyncContender {

  private final RetryTemplate template =
      RetryTemplate.builder().maxAttempts(4).noBackoff().retryOn(Exception.class).build();
  private final Operation operation;
  private final ThreeLambdas<RetryCallback<String, Exception>> lambdas;

  SpringRetryCalls(Operation operation) {
    this.operation = operation;
    this.lambdas =
        new ThreeLambdas<>(
            context -> operation.run(), context -> operation.run(), context -> operation.run());
  }

  @Override
  public String call() throws Exception {
    return template.execute(context -> operation.run());
  }

  @Override
  public String callMegamorphic(int turn) throws Exception {
    return template.execute(lambdas.at(turn));
  }
}
