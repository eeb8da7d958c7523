// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;

/** What a policy decides after a failed attempt. */
public sealed interface Decision {

  /** Try again after the delay; {@code attempt} is the number of the new attempt. */
  record Retry(Duration delay, long attempt) implements Decision {}

  /** Do not try again. */
  record GiveUp(GiveUpReason reason) implements Decision, DecisionPreview {}
}
