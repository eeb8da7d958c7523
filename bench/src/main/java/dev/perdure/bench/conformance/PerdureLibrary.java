// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import dev.perdure.policy.Failure;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.FailureReader;
import dev.perdure.retry.Retry;
import dev.perdure.retry.RetryBuilder;
import dev.perdure.retry.RetryListener;
import dev.perdure.retry.testing.FakeWaits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Ours. */
final class PerdureLibrary implements Library {

  @Override
  public String name() {
    return "Perdure";
  }

  @Override
  public @Nullable String lacks(Feature feature) {
    return null;
  }

  @Override
  public String call(Plan plan, Callable<String> call) throws Exception {
    return configured(plan).build().call(() -> call.call());
  }

  @Override
  public CompletableFuture<String> callAsync(Plan plan, Supplier<CompletionStage<String>> call) {
    return configured(plan).build().callAsync(call);
  }

  @Override
  public List<Duration> delays(Plan plan) {
    FakeWaits waits = FakeWaits.startingAt(Instant.EPOCH);
    Retry retry = configured(plan).waits(waits).build();
    try {
      retry.run(
          () -> {
            throw new ServerBusy();
          });
    } catch (ServerBusy usedUp) {
      return waits.sleeps();
    }
    throw new IllegalStateException("a call that always fails went well");
  }

  private static RetryBuilder configured(Plan plan) {
    RetryBuilder retry = Retry.with(policy(plan));
    if (plan.timeLimit() != null) {
      retry.timeLimit(plan.timeLimit());
    }
    if (plan.delayByFailure()) {
      retry.failures(PerdureLibrary::read);
    }
    if (plan.throwingListener()) {
      retry.listener(new ThrowingListener());
    }
    return retry;
  }

  private static RetryPolicy policy(Plan plan) {
    Jitter.Independent jitter = plan.jitter() == 0 ? Jitter.none() : Jitter.spread(plan.jitter());
    return plan.isFixed()
        ? RetryPolicy.fixed(plan.initial()).jitter(jitter).maxRetries(plan.maxRetries()).build()
        : RetryPolicy.exponential(plan.initial())
            .maxDelay(plan.cap())
            .jitter(jitter)
            .maxRetries(plan.maxRetries())
            .build();
  }

  private static Failure read(Throwable thrown) {
    Failure failure = FailureReader.byType().read(thrown);
    return thrown instanceof ServerBusy busy ? failure.withRetryAfter(busy.retryAfter()) : failure;
  }

  private static final class ThrowingListener implements RetryListener {
    @Override
    public void onRetry(Retrying event) {
      throw new ListenerBug();
    }
  }
}
