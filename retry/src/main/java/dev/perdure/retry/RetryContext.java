// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.util.Optional;

/** The context of an attempt. */
public interface RetryContext {

  /** Returns the number of this attempt, counted from 0. */
  long attempt();

  /** Returns the time since the call started. */
  Duration elapsed();

  /**
   * Returns the exception of the previous attempt; empty in the first attempt and after a rejected
   * result.
   */
  Optional<Throwable> previousFailure();
}
