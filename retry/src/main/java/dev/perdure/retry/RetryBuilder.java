// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Builds a {@link Retry} with more settings than a policy. */
public final class RetryBuilder {

  private static final Duration MAX_TIME_LIMIT = Duration.ofDays(36_500);
  private static final Failure REJECTED_RESULT = Failure.explicit("rejected_result");

  private final RetryPolicy policy;
  private final List<RetryListener> listeners = new ArrayList<>();
  private String operation = "default";
  private FailureClassifier failureClassifier = FailureClassifier.byType();
  private @Nullable Predicate<? super Throwable> retryIf;
  private @Nullable ResultClassifier resultClassifier;
  private @Nullable DelayFunction delayFunction;
  private @Nullable Duration timeLimit;
  private @Nullable Duration attemptTimeout;
  private @Nullable RetryBudget budget;
  private @Nullable CircuitBreakerAdapter circuitBreaker;
  private TimeProvider timeProvider = TimeProvider.system();
  private Supplier<? extends RandomGenerator> random = SystemTimeProvider.threadLocalRandom();
  private Executor executor = new CompletableFuture<>().defaultExecutor();

  RetryBuilder(RetryPolicy policy) {
    this.policy = policy;
  }

  /** Sets the name of the operation for listeners and metrics. */
  public RetryBuilder named(String name) {
    operation = name;
    return this;
  }

  /** Limits the duration of a call: no wait starts that would exceed it. */
  public RetryBuilder timeLimit(Duration limit) {
    timeLimit = positive("timeLimit", limit);
    return this;
  }

  /**
   * Limits the duration of an attempt. An attempt that takes longer is interrupted, or canceled if
   * asynchronous, and fails with a timeout. An attempt that ignores the interrupt keeps running; if
   * it then returns a result, the call returns it.
   */
  public RetryBuilder attemptTimeout(Duration limit) {
    attemptTimeout = positive("attemptTimeout", limit);
    return this;
  }

  /** Retries only while this budget has tokens. Share one budget between all calls to a service. */
  public RetryBuilder budget(RetryBudget shared) {
    budget = shared;
    return this;
  }

  /** Asks this circuit breaker before every attempt. */
  public RetryBuilder circuitBreaker(CircuitBreakerAdapter adapter) {
    circuitBreaker = adapter;
    return this;
  }

  /** Retries only exceptions that match this predicate, and then only as the policy says. */
  public RetryBuilder retryIf(Predicate<? super Throwable> test) {
    retryIf = test;
    return this;
  }

  /**
   * Treats results that match this predicate as failures with the code {@code rejected_result}.
   * When no retries are left, the last result is returned.
   */
  public RetryBuilder retryOnResult(Predicate<@Nullable Object> test) {
    return resultClassifier(result -> test.test(result) ? REJECTED_RESULT : null);
  }

  /** Sets which results count as failures, and as which ones. */
  public RetryBuilder resultClassifier(ResultClassifier classifier) {
    resultClassifier = classifier;
    return this;
  }

  /**
   * Sets how exceptions are converted to failures, for example to use the status of a client's
   * exception.
   */
  public RetryBuilder failureClassifier(FailureClassifier classifier) {
    failureClassifier = classifier;
    return this;
  }

  /** Sets a function whose delay replaces Retry-After and the policy's backoff. */
  public RetryBuilder delayFunction(DelayFunction function) {
    delayFunction = function;
    return this;
  }

  /** Adds a listener for retries and for the end of calls. */
  public RetryBuilder listener(RetryListener listener) {
    listeners.add(listener);
    return this;
  }

  /** Sets the source of time; for tests. */
  public RetryBuilder timeProvider(TimeProvider source) {
    timeProvider = source;
    return this;
  }

  /** Sets the source of randomness; for tests. */
  public RetryBuilder random(RandomGenerator source) {
    random = () -> source;
    return this;
  }

  /**
   * Sets the executor that starts asynchronous attempts after the first. The default is that of
   * {@link CompletableFuture}, usually the common pool.
   */
  public RetryBuilder executor(Executor attempts) {
    executor = attempts;
    return this;
  }

  public Retry build() {
    return new Retry(
        new RetryConfig(
            operation,
            policy,
            failureClassifier,
            retryIf,
            resultClassifier,
            delayFunction,
            timeLimit,
            attemptTimeout,
            budget,
            circuitBreaker,
            List.copyOf(listeners),
            timeProvider,
            random,
            executor));
  }

  private static Duration positive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " must be more than 0, not " + value);
    }
    if (value.compareTo(MAX_TIME_LIMIT) > 0) {
      throw new IllegalArgumentException(name + " must be at most 36500 days, not " + value);
    }
    return value;
  }
}
