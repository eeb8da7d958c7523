// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A share of calls that may be retried, for all calls that use it together: a bucket that each call
 * fills a little and each retry empties by one. In good times it allows every retry; when most
 * calls fail it allows only that share, and a service in trouble is not buried under retries.
 *
 * <p>Safe to share between threads, and meant to be: one budget for each service that is called.
 */
public final class RetryBudget {

  /** One retry in ten calls. */
  public static final double DEFAULT_RATIO = 0.1;

  /** How many retries a budget can save up. */
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

  /** One retry in ten calls, and ten saved up. */
  public static RetryBudget create() {
    return of(DEFAULT_RATIO, DEFAULT_RESERVE);
  }

  /**
   * A budget of one's own.
   *
   * @param ratio retries per call, from a millionth to 1
   * @param reserve how many retries it can save up, and begins with; at least 1
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

  /** How many retries are left just now. */
  public long available() {
    return tokens.get() / TOKEN;
  }

  /** A call begins. */
  void deposit() {
    long before = tokens.get();
    while (before < capacity
        && !tokens.compareAndSet(before, Math.min(capacity, before + deposit))) {
      before = tokens.get();
    }
  }

  /** True when a retry may go, and then it is taken. */
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
