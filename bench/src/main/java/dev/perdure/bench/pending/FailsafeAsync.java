// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.pending;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.RetryPolicy;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Failsafe with its own scheduler. Its lambda type adds 16 bytes to each call. */
final class FailsafeAsync implements AsyncContender {

  private final FailsafeExecutor<String> failsafe;

  FailsafeAsync(Duration delay) {
    this.failsafe =
        Failsafe.with(RetryPolicy.<String>builder().withMaxRetries(3).withDelay(delay).build());
  }

  @Override
  public CompletionStage<String> start(FailOnce call) {
    return failsafe.getStageAsync(() -> call.get());
  }
}
