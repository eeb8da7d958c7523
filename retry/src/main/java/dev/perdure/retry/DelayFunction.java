// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import java.time.Duration;

/** A delay of the caller's own, instead of the one that the policy's backoff gives. */
@FunctionalInterface
public interface DelayFunction {

  /** How long to wait after this attempt, counted from 0, failed like this. */
  Duration after(long attempt, Failure failure);
}
