// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;

/** What a policy can decide, before a delay is drawn. */
public sealed interface DecisionPreview permits DecisionPreview.DelayBounds, Decision.GiveUp {

  /**
   * A retry with a delay between {@code earliest} and {@code latest}, inclusive.
   *
   * @param base the delay without jitter
   */
  record DelayBounds(Duration base, Duration earliest, Duration latest)
      implements DecisionPreview {}
}
