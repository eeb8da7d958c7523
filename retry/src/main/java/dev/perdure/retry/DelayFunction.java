// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Computes a delay that replaces the Retry-After of a server and the backoff of the policy. It is
 * used without jitter.
 */
@FunctionalInterface
public interface DelayFunction {

  /**
   * Returns the delay after this attempt, counted from 0, failed; null to use the delay without
   * this function.
   */
  @Nullable Duration after(long attempt, Failure failure);
}
