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

/** Failsafe. Its delays are told by {@code onRetryScheduled}, and really waited. */
final class FailsafeLibrary implements Library {

  @Override
  public String name() {
    return "Failsafe";
  }

  @Override
  public @Nullable String lacks(Feature feature) {
    return null;
  }

  @Override
  public String call(Plan plan, Callable<String> call) {
    return Failsafe.with(configured(plan).build()).get(() -> call.call());
  }

  @Override
  public CompletableFuture<String> callAsync(Plan plan, Supplier<CompletionStage<String>> call) {
    return Failsafe.with(configured(plan).build()).getStageAsync(() -> call.get());
  }

  @Override
  public List<Duration> delays(Plan plan) {
    List<Duration> delays = Collections.synchronizedList(new ArrayList<>());
    RetryPolicy<String> policy =
        configured(plan).onRetryScheduled(event -> delays.add(event.getDelay())).build();
    try {
      Failsafe.with(policy)
          .run(
              () -> {
                throw new ServerBusy();
              });
    } catch (ServerBusy usedUp) {
      return List.copyOf(delays);
    }
    throw new IllegalStateException("a call that always fails went well");
  }

  private static RetryPolicyBuilder<String> configured(Plan plan) {
    RetryPolicyBuilder<String> policy =
        RetryPolicy.<String>builder().withMaxRetries(plan.maxRetries());
    if (plan.isFixed()) {
      policy.withDelay(plan.initial());
    } else {
      policy.withBackoff(plan.initial(), plan.cap());
    }
    if (plan.jitter() > 0) {
      policy.withJitter(plan.jitter());
    }
    if (plan.timeLimit() != null) {
      policy.withMaxDuration(plan.timeLimit());
    }
    if (plan.delayByFailure()) {
      policy.withDelayFnOn(
          context -> ((ServerBusy) context.getLastException()).retryAfter(), ServerBusy.class);
    }
    if (plan.throwingListener()) {
      policy.onRetry(
          event -> {
            throw new ListenerBug();
          });
    }
    return policy;
  }
}
