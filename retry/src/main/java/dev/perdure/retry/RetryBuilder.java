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

/** Writes a {@link Retry} with more to it than a policy. */
public final class RetryBuilder {

  private static final Duration MAX_TIME_LIMIT = Duration.ofDays(36_500);
  private static final Failure REJECTED_RESULT = Failure.explicit("refused_result");

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

  /** What listeners and metrics call it. */
  public RetryBuilder named(String name) {
    operation = name;
    return this;
  }

  /** No wait is begun that would pass this time after the start of the call. */
  public RetryBuilder timeLimit(Duration limit) {
    timeLimit = positive("timeLimit", limit);
    return this;
  }

  /**
   * An attempt that takes longer is interrupted, or cancelled, and fails with a timeout. One that
   * does not heed the interrupt runs on; if it then has a result, that is the answer.
   */
  public RetryBuilder attemptTimeout(Duration limit) {
    attemptTimeout = positive("attemptTimeout", limit);
    return this;
  }

  /** Retries only while this budget lasts; share one between all calls of a service. */
  public RetryBuilder budget(RetryBudget shared) {
    budget = shared;
    return this;
  }

  /** Asks this breaker before every attempt. */
  public RetryBuilder circuitBreaker(CircuitBreakerAdapter asked) {
    circuitBreaker = asked;
    return this;
  }

  /** Retries only failures that pass this test, and then as the policy says. */
  public RetryBuilder retryIf(Predicate<? super Throwable> test) {
    retryIf = test;
    return this;
  }

  /**
   * A result that passes this test counts as a failure, with the code {@code refused_result}; the
   * last one is returned when the retries are used up.
   */
  public RetryBuilder retryOnResult(Predicate<@Nullable Object> test) {
    return resultClassifier(result -> test.test(result) ? REJECTED_RESULT : null);
  }

  /** Which results are failures, and what sort of failures. */
  public RetryBuilder resultClassifier(ResultClassifier own) {
    resultClassifier = own;
    return this;
  }

  /** How to read failures, such as the status of a client's own exception. */
  public RetryBuilder failureClassifier(FailureClassifier own) {
    failureClassifier = own;
    return this;
  }

  /** Waits as long as this says, instead of as a server asks or the policy's backoff says. */
  public RetryBuilder delayFunction(DelayFunction own) {
    delayFunction = own;
    return this;
  }

  /** Hears of every retry and every end. */
  public RetryBuilder listener(RetryListener listener) {
    listeners.add(listener);
    return this;
  }

  /** Another source of time, for tests. */
  public RetryBuilder timeProvider(TimeProvider source) {
    timeProvider = source;
    return this;
  }

  /** Another source of chance, for tests. */
  public RetryBuilder random(RandomGenerator source) {
    random = () -> source;
    return this;
  }

  /**
   * Where asynchronous attempts after the first are started; where a {@link CompletableFuture} runs
   * its own, usually the common pool, unless something else is said.
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
            new RetryConfig.Rules(failureClassifier, retryIf, resultClassifier, delayFunction),
            new RetryConfig.Limits(timeLimit, attemptTimeout, budget, circuitBreaker),
            List.copyOf(listeners),
            timeProvider,
            random,
            executor));
  }

  private static Duration positive(String what, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(what + " must be more than 0, not " + value);
    }
    if (value.compareTo(MAX_TIME_LIMIT) > 0) {
      throw new IllegalArgumentException(what + " must be at most 36500 days, not " + value);
    }
    return value;
  }
}
