// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;

/** Finds a failure to explain a policy with, when nobody names one. */
public final class TypicalFailure {

  private TypicalFailure() {}

  /**
   * A failure that the policy retries: an explicit one when it does, else a sample of the first
   * matcher in {@code retry_on} that the policy really retries; an explicit one when there is none.
   */
  public static Failure of(RetryPolicy policy) {
    throw new UnsupportedOperationException();
  }
}
