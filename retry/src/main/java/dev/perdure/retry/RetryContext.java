// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.util.Optional;

/** What an attempt may know about the call it belongs to. */
public interface RetryContext {

  /** Which attempt this is, counted from 0. */
  long attempt();

  /** The time since the call began. */
  Duration elapsed();

  /**
   * What the attempt before failed with; empty in the first one, or when its result was refused.
   */
  Optional<Throwable> previousFailure();
}
