// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.util.List;

/**
 * How often to retry. {@code of(3)} means at most 4 attempts: the first one and 3 retries.
 *
 * @param retries the most retries; 0 when unlimited
 */
public record RetryLimit(boolean unlimited, int retries) {

  /** What a policy has that names no limit. */
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

  /** True when attempt n has used up the last retry. */
  boolean reachedBy(long n) {
    return !unlimited && n >= retries;
  }
}
