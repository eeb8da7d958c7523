// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits retries to a share of calls. It is a token bucket: each call adds a fraction of a token
 * and each retry takes one. In normal times every retry is allowed. When most calls fail, only that
 * share is retried, so that retries do not overload a service in trouble.
 *
 * <p>Thread-safe. Share one budget between all calls to the same service.
 */
public final class RetryBudget {

  /** The default share: one retry per ten calls. */
  public static final double DEFAULT_RATIO = 0.1;

  /** The default number of retries that a budget can accumulate. */
  public static final int DEFAULT_RESERVE = 10;

  private static final long TOKEN = 1_000_000;
  private static final double MIN_RATIO = 1.0 / TOKEN;

  private final long deposit;
  private final long capacity;
  private final AtomicLong tokens;

  private RetryBudget(double ratio, int reserve) {
    this.deposit = Math.round(ratio * TOKEN);
    this.capacity = reserve * TOKEN;
    this.tokens = new AtomicLong(capacity);
  }

  /** Creates a budget with the default ratio and reserve. */
  public static RetryBudget create() {
    return of(DEFAULT_RATIO, DEFAULT_RESERVE);
  }

  /**
   * Creates a budget.
   *
   * @param ratio retries per call, from 0.000001 to 1
   * @param reserve the number of retries that it can accumulate and starts with; at least 1
   */
  public static RetryBudget of(double ratio, int reserve) {
    if (!(ratio >= MIN_RATIO && ratio <= 1)) {
      throw new IllegalArgumentException("ratio must be from 0.000001 to 1, not " + ratio);
    }
    if (reserve < 1) {
      throw new IllegalArgumentException("reserve must be at least 1, not " + reserve);
    }
    return new RetryBudget(ratio, reserve);
  }

  /** Returns the number of retries that are available now. */
  public long available() {
    return tokens.get() / TOKEN;
  }

  /** Adds the share of one call. */
  void deposit() {
    long before = tokens.get();
    while (before < capacity
        && !tokens.compareAndSet(before, Math.min(capacity, before + deposit))) {
      before = tokens.get();
    }
  }

  /** Takes a token for a retry; returns false if there is none. */
  boolean take() {
    long before = tokens.get();
    while (before >= TOKEN) {
      if (tokens.compareAndSet(before, before - TOKEN)) {
        return true;
      }
      before = tokens.get();
    }
    return false;
  }
}
