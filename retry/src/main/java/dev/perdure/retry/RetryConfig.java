// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Expiry;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Everything a {@link Retry} was told. */
record RetryConfig(
    String operation,
    RetryPolicy policy,
    Rules rules,
    Limits limits,
    List<RetryListener> listeners,
    TimeProvider timeProvider,
    Supplier<? extends RandomGenerator> random,
    Executor executor) {

  /** What is a failure, and how long to wait after it. */
  record Rules(
      FailureClassifier failureClassifier,
      @Nullable Predicate<? super Throwable> retryIf,
      @Nullable ResultClassifier resultClassifier,
      @Nullable DelayFunction delayFunction) {}

  /** What ends or forbids attempts beside the policy. */
  record Limits(
      @Nullable Duration timeLimit,
      @Nullable Duration attemptTimeout,
      @Nullable RetryBudget budget,
      @Nullable CircuitBreakerAdapter circuitBreaker) {}

  /** True when nothing needs to know of a call before its first failure. */
  boolean isPolicyOnly() {
    return limits.timeLimit == null
        && limits.attemptTimeout == null
        && limits.budget == null
        && limits.circuitBreaker == null
        && rules.resultClassifier == null
        && listeners.isEmpty()
        && policy.expiry() instanceof Expiry.Never;
  }

  /** The same with another limit on the time of a call. */
  RetryConfig withTimeLimit(Duration value) {
    Limits other = new Limits(value, limits.attemptTimeout, limits.budget, limits.circuitBreaker);
    return new RetryConfig(
        operation, policy, rules, other, listeners, timeProvider, random, executor);
  }

  /** What is wrong with this result, if anything. */
  @Nullable Failure failureOf(@Nullable Object result) {
    return rules.resultClassifier == null ? null : rules.resultClassifier.classify(result);
  }
}
