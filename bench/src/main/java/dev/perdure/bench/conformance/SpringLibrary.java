// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.retry.RetryListener;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryState;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.core.retry.Retryable;
import org.springframework.util.backoff.BackOffExecution;

/** The retry support of Spring Framework 7. The delays are the results of its back-off. */
final class SpringLibrary implements Library {

  private static final double MULTIPLIER = 2;

  @Override
  public String name() {
    return "Spring 7";
  }

  @Override
  public @Nullable String unsupportedReason(Feature feature) {
    return switch (feature) {
      case ASYNC -> "RetryTemplate has no asynchronous call";
      case DELAY_BY_FAILURE -> "BackOff does not see the failure";
      case TIME_LIMIT -> null;
    };
  }

  @Override
  public String call(RetrySettings settings, Callable<String> call) throws Exception {
    RetryTemplate template = new RetryTemplate(policy(settings));
    if (settings.throwingListener()) {
      template.setRetryListener(new ThrowingListener());
    }
    return template.execute(call::call);
  }

  @Override
  public CompletableFuture<String> callAsync(
      RetrySettings settings, Supplier<CompletionStage<String>> call) {
    throw new UnsupportedOperationException(unsupportedReason(Feature.ASYNC));
  }

  @Override
  public List<Duration> delays(RetrySettings settings) {
    BackOffExecution backOff = policy(settings).getBackOff().start();
    List<Duration> delays = new ArrayList<>();
    for (int i = 0; i < settings.maxRetries(); i++) {
      delays.add(Duration.ofMillis(backOff.nextBackOff()));
    }
    return delays;
  }

  private static RetryPolicy policy(RetrySettings settings) {
    RetryPolicy.Builder policy =
        RetryPolicy.builder().maxRetries(settings.maxRetries()).delay(settings.initial());
    if (!settings.isFixed()) {
      policy.multiplier(MULTIPLIER).maxDelay(settings.cap());
    }
    if (settings.jitter() > 0) {
      // Spring takes the jitter of the first delay and scales it with the delay.
      policy.jitter(
          Duration.ofMillis(Math.round(settings.initial().toMillis() * settings.jitter())));
    }
    if (settings.timeLimit() != null) {
      policy.timeout(settings.timeLimit());
    }
    return policy.build();
  }

  private static final class ThrowingListener implements RetryListener {
    @Override
    public void beforeRetry(RetryPolicy policy, Retryable<?> retryable, RetryState state) {
      throw new ListenerException();
    }
  }
}
