// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A delay of the caller's own, instead of what a server asks for or the policy's backoff gives. It
 * is kept as it is, without jitter.
 */
@FunctionalInterface
public interface DelayFunction {

  /**
   * How long to wait after this attempt, counted from 0, failed like this; null: as long as without
   * this function.
   */
  @Nullable Duration after(long attempt, Failure failure);
}
