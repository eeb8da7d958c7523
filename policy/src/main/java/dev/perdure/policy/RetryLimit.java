// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.util.List;

/**
 * The maximum number of retries. {@code of(3)} allows at most 4 attempts: the first one and 3
 * retries.
 *
 * @param retries the maximum number of retries; 0 if unlimited
 */
public record RetryLimit(boolean unlimited, int retries) {

  /** The limit of a policy that does not set one. */
  public static final RetryLimit DEFAULT = of(3);

  private static final RetryLimit UNLIMITED = new RetryLimit(true, 0);

  public RetryLimit {
    if (retries < 0 || (unlimited && retries != 0)) {
      throw new InvalidPolicyException(
          List.of(new FieldError("max_retries", "must be 0 or more, not " + retries)));
    }
  }

  public static RetryLimit of(int retries) {
    return new RetryLimit(false, retries);
  }

  public static RetryLimit none() {
    return of(0);
  }

  public static RetryLimit noLimit() {
    return UNLIMITED;
  }

  /** Returns true if no retry may follow attempt n. */
  boolean reachedBy(long n) {
    return !unlimited && n >= retries;
  }
}
