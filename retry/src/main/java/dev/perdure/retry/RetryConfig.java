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

/** The settings of a {@link Retry}; {@link RetryBuilder} explains each of them. */
record RetryConfig(
    String operation,
    RetryPolicy policy,
    FailureClassifier failureClassifier,
    @Nullable Predicate<? super Throwable> retryIf,
    @Nullable ResultClassifier resultClassifier,
    @Nullable DelayFunction delayFunction,
    @Nullable Duration timeLimit,
    @Nullable Duration attemptTimeout,
    @Nullable RetryBudget budget,
    @Nullable CircuitBreakerAdapter circuitBreaker,
    List<RetryListener> listeners,
    TimeProvider timeProvider,
    Supplier<? extends RandomGenerator> random,
    Executor executor) {

  /** Returns true if nothing needs to be done for a call before its first failure. */
  boolean isPolicyOnly() {
    return timeLimit == null
        && attemptTimeout == null
        && budget == null
        && circuitBreaker == null
        && resultClassifier == null
        && listeners.isEmpty()
        && policy.expiry() instanceof Expiry.Never;
  }

  RetryConfig withTimeLimit(Duration value) {
    return new RetryConfig(
        operation,
        policy,
        failureClassifier,
        retryIf,
        resultClassifier,
        delayFunction,
        value,
        attemptTimeout,
        budget,
        circuitBreaker,
        listeners,
        timeProvider,
        random,
        executor);
  }

  /** Returns the failure that this result counts as, or null if it is a success. */
  @Nullable Failure failureOf(@Nullable Object result) {
    return resultClassifier == null ? null : resultClassifier.classify(result);
  }
}
