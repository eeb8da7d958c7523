// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.pending;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** An asynchronous call whose first attempt fails immediately and whose second succeeds. */
final class FailOnce implements Supplier<CompletionStage<String>> {

  private static final CompletionStage<String> FAILED =
      CompletableFuture.failedStage(new IllegalStateException("failed"));
  private static final CompletionStage<String> DONE = CompletableFuture.completedStage("done");

  private final AtomicInteger retriesBegun;
  private volatile boolean failed;

  /**
   * @param retriesBegun counts the second attempts of all calls
   */
  FailOnce(AtomicInteger retriesBegun) {
    this.retriesBegun = retriesBegun;
  }

  @Override
  public CompletionStage<String> get() {
    if (failed) {
      retriesBegun.incrementAndGet();
      return DONE;
    }
    failed = true;
    return FAILED;
  }
}
