// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench;

import java.time.Duration;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.core.retry.Retryable;

/** The retry support of Spring Framework 7. It waits 1 s by default. */
final class SpringCalls implements SyncContender {

  private final RetryTemplate template =
      new RetryTemplate(
          RetryPolicy.builder()
              .maxRetries(3)
              .delay(Duration.ZERO)
              .includes(Exception.class)
              .build());
  private final Operation operation;
  private final ThreeLambdas<Retryable<String>> lambdas;

  SpringCalls(Operation operation) {
    this.operation = operation;
    this.lambdas = new ThreeLambdas<>(operation::run, operation::run, operation::run);
  }

  @Override
  public String call() throws Exception {
    return template.execute(() -> operation.run());
  }

  @Override
  public String callMegamorphic(int turn) throws Exception {
    return template.execute(lambdas.at(turn));
  }
}
