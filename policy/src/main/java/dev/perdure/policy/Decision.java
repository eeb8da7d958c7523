// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;

/** A policy's answer to a failed attempt. */
public sealed interface Decision {

  /** Try again after the delay, as this attempt. */
  record Retry(Duration delay, long attempt) implements Decision {}

  /** Do not try again. */
  record GiveUp(GiveUpReason reason) implements Decision, DecisionPreview {}
}
