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
record Settings(
    String operation,
    RetryPolicy policy,
    Rules rules,
    Limits limits,
    List<RetryListener> listeners,
    Waits waits,
    Supplier<? extends RandomGenerator> random,
    Executor executor) {

  /** What is a failure, and how long to wait after it. */
  record Rules(
      FailureReader reader,
      @Nullable Predicate<? super Throwable> retryIf,
      @Nullable ResultReader results,
      @Nullable DelayFunction delays) {}

  /** What ends or forbids attempts beside the policy. */
  record Limits(
      @Nullable Duration total,
      @Nullable Duration attempt,
      @Nullable RetryBudget budget,
      @Nullable Breaker breaker) {}

  /** True when nothing needs to know of a call before its first failure. */
  boolean plain() {
    return limits.total == null
        && limits.attempt == null
        && limits.budget == null
        && limits.breaker == null
        && rules.results == null
        && listeners.isEmpty()
        && policy.expiry() instanceof Expiry.Never;
  }

  /** The same with another limit on the time of a call. */
  Settings withTotal(Duration value) {
    Limits other = new Limits(value, limits.attempt, limits.budget, limits.breaker);
    return new Settings(operation, policy, rules, other, listeners, waits, random, executor);
  }

  /** What is wrong with this result, if anything. */
  @Nullable Failure faultOf(@Nullable Object result) {
    return rules.results == null ? null : rules.results.read(result);
  }
}
