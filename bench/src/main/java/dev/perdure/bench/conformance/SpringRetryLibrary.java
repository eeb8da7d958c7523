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
import org.springframework.retry.RetryCallback;
import org.springframework.retry.RetryContext;
import org.springframework.retry.RetryListener;
import org.springframework.retry.backoff.ExponentialBackOffPolicy;
import org.springframework.retry.backoff.ExponentialRandomBackOffPolicy;
import org.springframework.retry.support.RetryTemplate;
import org.springframework.retry.support.RetryTemplateBuilder;

/**
 * Spring Retry. It passes its delays to its {@code Sleeper}. Its random back-off only makes delays
 * longer, by up to the multiplier, and the amount cannot be configured.
 */
final class SpringRetryLibrary implements Library {

  private static final double MULTIPLIER = 2;

  @Override
  public String name() {
    return "Spring Retry";
  }

  @Override
  public @Nullable String unsupportedReason(Feature feature) {
    return switch (feature) {
      case ASYNC -> "RetryTemplate has no asynchronous call";
      case DELAY_BY_FAILURE -> "needs a custom BackOffPolicy";
      case TIME_LIMIT -> null;
    };
  }

  @Override
  public String call(RetrySettings settings, Callable<String> call) throws Exception {
    RetryTemplateBuilder template = limited(settings).fixedBackoff(settings.initial());
    if (settings.throwingListener()) {
      template.withListener(new ThrowingListener());
    }
    return template.build().<String, Exception>execute(context -> call.call());
  }

  @Override
  public CompletableFuture<String> callAsync(
      RetrySettings settings, Supplier<CompletionStage<String>> call) {
    throw new UnsupportedOperationException(unsupportedReason(Feature.ASYNC));
  }

  @Override
  public List<Duration> delays(RetrySettings settings) {
    List<Duration> delays = new ArrayList<>();
    ExponentialBackOffPolicy backOff =
        settings.jitter() == 0
            ? new ExponentialBackOffPolicy()
            : new ExponentialRandomBackOffPolicy();
    backOff.setInitialInterval(settings.initial().toMillis());
    backOff.setMultiplier(MULTIPLIER);
    backOff.setMaxInterval(settings.cap().toMillis());
    backOff.setSleeper(millis -> delays.add(Duration.ofMillis(millis)));
    RetryTemplate template = limited(settings).customBackoff(backOff).build();
    try {
      template.execute(
          context -> {
            throw new ServerBusyException();
          });
    } catch (ServerBusyException expected) {
      return delays;
    }
    throw new IllegalStateException("A call that always fails returned a value");
  }

  private static RetryTemplateBuilder limited(RetrySettings settings) {
    return settings.timeLimit() == null
        ? RetryTemplate.builder().maxAttempts(settings.maxRetries() + 1)
        : RetryTemplate.builder().withTimeout(settings.timeLimit());
  }

  private static final class ThrowingListener implements RetryListener {
    @Override
    public <T, E extends Throwable> void onError(
        RetryContext context, RetryCallback<T, E> callback, Throwable thrown) {
      throw new ListenerException();
    }
  }
}
