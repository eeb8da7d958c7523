// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import dev.failsafe.RetryPolicyBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Failsafe. It reports its delays to {@code onRetryScheduled}, and really waits. */
final class FailsafeLibrary implements Library {

  @Override
  public String name() {
    return "Failsafe";
  }

  @Override
  public @Nullable String unsupportedReason(Feature feature) {
    return null;
  }

  @Override
  public String call(RetrySettings settings, Callable<String> call) {
    return Failsafe.with(configured(settings).build()).get(() -> call.call());
  }

  @Override
  public CompletableFuture<String> callAsync(
      RetrySettings settings, Supplier<CompletionStage<String>> call) {
    return Failsafe.with(configured(settings).build()).getStageAsync(() -> call.get());
  }

  @Override
  public List<Duration> delays(RetrySettings settings) {
    List<Duration> delays = Collections.synchronizedList(new ArrayList<>());
    RetryPolicy<String> policy =
        configured(settings).onRetryScheduled(event -> delays.add(event.getDelay())).build();
    try {
      Failsafe.with(policy)
          .run(
              () -> {
                throw new ServerBusyException();
              });
    } catch (ServerBusyException expected) {
      return List.copyOf(delays);
    }
    throw new IllegalStateException("A call that always fails returned a value");
  }

  private static RetryPolicyBuilder<String> configured(RetrySettings settings) {
    RetryPolicyBuilder<String> policy =
        RetryPolicy.<String>builder().withMaxRetries(settings.maxRetries());
    if (settings.isFixed()) {
      policy.withDelay(settings.initial());
    } else {
      policy.withBackoff(settings.initial(), settings.cap());
    }
    if (settings.jitter() > 0) {
      policy.withJitter(settings.jitter());
    }
    if (settings.timeLimit() != null) {
      policy.withMaxDuration(settings.timeLimit());
    }
    if (settings.delayByFailure()) {
      policy.withDelayFnOn(
          context -> ((ServerBusyException) context.getLastException()).retryAfter(),
          ServerBusyException.class);
    }
    if (settings.throwingListener()) {
      policy.onRetry(
          event -> {
            throw new ListenerException();
          });
    }
    return policy;
  }
}
